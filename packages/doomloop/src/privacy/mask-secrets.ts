/** How access tokens of well-known services begin. What follows may look like words. */
export const TOKEN =
  /(?:^|[-_.:/])(?:[spr]k[-_](?:live|test|proj|ant)|gh[oprsu]_|github_pat_|gl(?:pat|rt|dt)-|xox[a-z]-|(?:AKIA|ASIA)[A-Z0-9]|AIza|eyJ|ya29)/;
export const TOKEN_AT_START = /^(?:[sp]k-|AKIA|ASIA|SG\.|pypi-|hf_[A-Za-z]{20})/;
/** More of them, each with enough behind it that no word is meant. */
const LONGER_TOKEN =
  /^(?:npm_|dop_v1_|shp(?:at|ss|ca)_|sq0[a-z]{3}-|whsec_|rk_|dapi|glsa_|lin_api_|AGE-SECRET-KEY-|xapp-|EAAC|GOCSPX-|figd_|ntn_|tfp_|vercel_|sbp_|key-)\w{8}/;

const BETWEEN = /([\s"'`,;(){}<>=:[\]&?|\\]+)/;
/** What follows one of these names is a secret. */
const PASSWORD_NAME =
  /(?:password|passwd|passphrase|passcode|passwort|kennwort|contrase\u00f1a|mot de passe|(?:^|[^a-z])(?:pass|pw|pwd|pin|iban|ssn|cvv|cvc|otp))$/i;
/** What follows one of these is a secret, too, unless it is a plain word that merely stands behind it: "token expired". */
const SECRET_NAME =
  /(?:secret|token|api[-_]?key|access[-_]?key|account[-_]?key|private[-_]?key|secret[-_]?key[-_]?base|signing[-_]?key|encryption[-_]?key|authorization|bearer|basic|credentials?|cookie|session[-_]?id|signature)$/i;
const PLAIN_WORD = /^[a-z]+[.!]?$/;
const FILLER = /^(?:is|was|as|to|:|-)$/i;
/** Words of this length with letters and digits are keys and ids; so many digits are a card's or an account's. */
const LONG_WORD = 16;
const MANY_DIGITS = 9;
const SHORTEST_JUMBLE = 10;
const MAX_NAMES = 200;
const MAX_QUOTED = 40;
/** Digits that are written in groups: cards, social security, accounts. */
const GROUPED = /\b(?:\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,4}|\d{4}[ -]\d{6}[ -]\d{5}|\d{3}-\d{2}-\d{4})\b/g;
const IBAN = /\b[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){3,7}(?: [A-Z0-9]{1,3})?\b/g;
const KEY_BEGINS = "-----BEGIN ";
const KEY_ENDS = "-----END";
/** A name of a key between the dashes: "ENCRYPTED PRIVATE KEY". */
const LONGEST_KEY_NAME = 40;

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
      const whole = maskKeys(text, nameOf).replace(IBAN, nameOf).replace(GROUPED, nameOf);
      // Words at even places, what stands between them at odd ones.
      const parts = whole.split(BETWEEN);
      for (let at = 0; at < parts.length; at += 2) {
        if (isNamed(parts, at)) at = maskQuoted(parts, at, nameOf);
        else if (looksSecret(parts[at]!)) parts[at] = nameOf(parts[at]!);
      }
      return parts.join("");
    },
    /** A value of which a name is known, such as an argument. */
    maskNamed(name: string, value: string): string {
      return value !== "" && isSecretName(name) ? nameOf(value) : this.mask(value);
    },
  };
}

/** Whether what is called so is a secret. */
function isSecretName(name: string): boolean {
  const end = name.slice(-32);
  return PASSWORD_NAME.test(end) || SECRET_NAME.test(end);
}

/** Whether a word looks like a secret: for names of tools and arguments. */
export function looksSecret(word: string): boolean {
  if (word === "" || /^\[secret\d/.test(word)) return false;
  if (word.includes("@") && word.length > 3) return true;
  if (TOKEN.test(word) || TOKEN_AT_START.test(word) || LONGER_TOKEN.test(word)) return true;
  // Paths and dotted names are long, too, but their parts are words.
  const parts = word.split(/[/._\-+#%!~*^$]/);
  if (parts.some(isJumble)) return true;
  return word.length >= 2 * LONG_WORD && sum(parts.map(changesIn)) * 6 >= word.length;
}

function isJumble(part: string): boolean {
  const digits = part.replaceAll(/\D/g, "").length;
  if (digits >= MANY_DIGITS || (part.length >= LONG_WORD && digits > 0 && digits < part.length)) return true;
  return part.length >= SHORTEST_JUMBLE && changesIn(part) * 5 > part.length;
}

/** How often a digit comes after a letter, a letter after a digit, a capital after a small letter, a small one after two. Words have few such places. */
function changesIn(part: string): number {
  return part.match(/[a-z](?=[A-Z0-9])|[A-Z](?=\d)|\d(?=[A-Za-z])|[A-Z][A-Z](?=[a-z])/g)?.length ?? 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function isNamed(parts: readonly string[], at: number): boolean {
  const word = parts[at]!;
  const before = wordBefore(parts, at);
  if (word.length < 3 || before === undefined || isSecretName(word)) return false;
  const [name, between] = before;
  if (PASSWORD_NAME.test(name.slice(-32))) return true;
  if (SECRET_NAME.test(name.slice(-32))) return /[=:"']/.test(between) || !PLAIN_WORD.test(word);
  return isSecretByPlace(parts, at);
}

/** The word before, and what stands between; a filler such as "is" is passed over. */
function wordBefore(parts: readonly string[], at: number): readonly [string, string] | undefined {
  const last = parts[at - 2];
  if (last === undefined) return undefined;
  // In JSON, an end of a line is a letter after a stroke.
  const isBreak = /^[nrt]$/.test(last) && parts[at - 3]?.endsWith("\\") === true;
  const isPassed = at >= 4 && (FILLER.test(last) || last === "" || isBreak);
  return isPassed ? [parts[at - 4]!, `${parts[at - 3]}${parts[at - 1]}`] : [last, parts[at - 1]!];
}

/** A key in an address, or a password after a short flag of a program that takes one there. */
function isSecretByPlace(parts: readonly string[], at: number): boolean {
  const [flag, program] = [parts[at - 2], parts[at - 4]];
  if (flag === "key" && parts[at - 1] === "=") return /[?&]$/.test(parts[at - 3] ?? "");
  if (flag === "-a" || flag === "-p") return program === "redis-cli" || program === "sshpass";
  return (program === "-u" || program === "--user") && parts[at - 1] === ":";
}

/**
 * Masks a named secret: a word, all words up to the quotation mark that ends them, or the line of a cookie. Returns the place of the last one.
 */
function maskQuoted(parts: string[], at: number, nameOf: (value: string) => string): number {
  const between = parts[at - 1] ?? "";
  const isCookie = /cookie$/i.test(parts[at - 2] ?? "");
  const quote = lastQuote(between);
  const isEnd = (gap: string): boolean => (quote === undefined ? /["'`\n]/.test(gap) : gap.includes(quote));
  let end = at;
  if (quote !== undefined || isCookie)
    while (end - at < 2 * MAX_QUOTED && end + 2 < parts.length && !isEnd(parts[end + 1]!)) end += 2;
  parts[at] = nameOf(parts.slice(at, end + 1).join(""));
  parts.fill("", at + 1, end + 1);
  return end;
}

function lastQuote(gap: string): string | undefined {
  return [...gap].findLast((letter) => letter === '"' || letter === "'" || letter === "`");
}

/** A private key takes lines of any look. */
function maskKeys(text: string, nameOf: (value: string) => string): string {
  let shown = "";
  let rest = text;
  for (;;) {
    const begin = rest.indexOf(KEY_BEGINS);
    if (begin < 0) return shown + rest;
    const inside = begin + KEY_BEGINS.length;
    const isKey = rest.slice(inside, inside + LONGEST_KEY_NAME).includes("PRIVATE KEY");
    const end = isKey ? rest.indexOf(KEY_ENDS, inside) : inside;
    shown += rest.slice(0, begin) + (isKey ? nameOf(rest.slice(begin, end < 0 ? undefined : end)) : KEY_BEGINS);
    if (end < 0) return shown;
    rest = rest.slice(end);
  }
}
