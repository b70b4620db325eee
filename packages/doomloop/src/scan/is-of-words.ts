/** How the tokens of well-known services begin. */
const TOKEN = /^(?:sk-|pk-|gh[opsu]_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza|eyJ|ya29)/;
/** A word, with one number in it at most: `auth`, `v2`, `i18n`, `base64url`. */
const WORD = /^[A-Za-z]{0,20}\d{0,4}[A-Za-z]{0,20}$/;
const SEPARATOR = /[-_.:/]+/;
const MAX_WORD = 20;
const MAX_DIGITS = 8;
const MAX_NUMBERED_CAPITALS = 9;

/**
 * Whether a name is made of words, as people write them: nothing that a machine has drawn, no token of a known form, no long number. What must
 * not be shown may still look like words; this tells what surely is none.
 */
export function isOfWords(name: string): boolean {
  const digits = name.replaceAll(/\D/g, "").length;
  if (TOKEN.test(name) || digits > MAX_DIGITS) return false;
  const words = name.split(SEPARATOR).filter((word) => word !== "");
  return words.length > 0 && words.every((word) => word.length <= MAX_WORD && WORD.test(word) && !isJumbled(word));
}

/** Small and capital letters in no order, or capitals with a number among them. */
function isJumbled(word: string): boolean {
  if (/^[A-Z]+\d+[A-Z]*$/.test(word)) return word.length > MAX_NUMBERED_CAPITALS;
  const turns = word.match(/[a-z][A-Z]/g)?.length ?? 0;
  return turns > 0 && word.length / (turns + 1) < 3;
}
