/** How access tokens of well-known services begin. What follows may look like words. */
export const TOKEN =
  /(?:^|[-_.:/])(?:[spr]k[-_](?:live|test|proj|ant)|gh[oprsu]_|github_pat_|gl(?:pat|rt|dt)-|xox[a-z]-|(?:AKIA|ASIA)[A-Z0-9]|AIza|eyJ|ya29)/;
export const TOKEN_AT_START = /^(?:[sp]k-|AKIA|ASIA|SG\.|pypi-|hf_[A-Za-z]{20})/;

const BETWEEN = /([\s"'`,;(){}<>=:[\]&?|\\]+)/;
/** What follows one of these names is a secret. */
const NAME =
  /(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|authorization|bearer|basic|credentials?|cookie|session[-_]?id|pin|iban|ssn)$/i;
/** Words of this length with letters and digits are keys and ids; so many digits are a card's or an account's. */
const LONG_WORD = 16;
const MANY_DIGITS = 9;
const MAX_NAMES = 200;

/** Gives each secret of a text a name, the same for the same secret: another one stays visible as another. */
export function createSecrets() {
  const names = new Map<string, string>();
  const nameOf = (value: string): string => {
    const known = names.get(value);
    if (known !== undefined) return known;
    const name = `[secret${names.size + 1}]`;
    if (names.size < MAX_NAMES) names.set(value, name);
    return name;
  };
  return {
    /** The text with names in place of what looks like a secret, or like an address of mail. */
    mask(text: string): string {
      // Words at even places, what stands between them at odd ones.
      const parts = text.split(BETWEEN);
      for (let at = 0; at < parts.length; at += 2) {
        const word = parts[at]!;
        const before = at === 0 ? "" : parts[at - 2]!;
        if (word !== "" && (isNamed(word, before) || looksSecret(word))) parts[at] = nameOf(word);
      }
      return parts.join("");
    },
  };
}

function isNamed(word: string, before: string): boolean {
  return word.length >= 3 && NAME.test(before.slice(-32)) && !NAME.test(word.slice(-32));
}

function looksSecret(word: string): boolean {
  if (word.includes("@") && word.length > 3) return true;
  if (TOKEN.test(word) || TOKEN_AT_START.test(word)) return true;
  // Paths and dotted names are long, too, but their parts are words.
  return word.split(/[/._-]/).some(isJumble);
}

function isJumble(part: string): boolean {
  const digits = part.replaceAll(/\D/g, "").length;
  return digits >= MANY_DIGITS || (part.length >= LONG_WORD && digits > 0 && digits < part.length);
}
