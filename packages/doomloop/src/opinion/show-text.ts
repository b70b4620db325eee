import { toolHash } from "../core/identity/call-identity.ts";
import { createSecrets, looksSecret } from "../privacy/mask-secrets.ts";

/** `text`: shortened, with secrets masked. `shapes`: no foreign text at all, only names of tools and arguments, lengths and comparisons. */
export type ExcerptKind = "text" | "shapes";

/** How foreign text is shown to another model. Whatever it holds, it stays within its line and its quotation marks. */
export interface Show {
  /** A text of the given length at most, without marks around it. */
  text(text: string, length: number): string;
  /** A value of which a name is known, in marks unless it is plain. */
  value(name: string, value: string, length: number): string;
  /** Numbers that follow each other. */
  numbers(numbers: readonly string[]): string;
}

// What is not seen, or changes how the rest is seen: marks of direction, joiners, tags, variants, half characters.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}]+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g;
const FENCE = /<{3,}|>{3,}/g;
const PLAIN = /^[\w./:@+[\]…-]*$/;
const LONGEST_NUMBER = 12;

export function createShow(kind: ExcerptKind): Show {
  if (kind === "shapes")
    return {
      text: (text) => `(${text.length} characters)`,
      value: (_, value) => `(${value.length} characters)`,
      numbers: directionOf,
    };
  const secrets = createSecrets();
  const shown = (text: string, length: number, mask: (text: string) => string): string => {
    const visible = text
      .slice(0, 8 * length + 400)
      .replace(INVISIBLE, "")
      .replace(CONTROL, " ");
    // Masked before lines are joined: a name may end one line, and its secret begin the next.
    const lines = mask(visible).split("\n");
    const line = lines
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join(" / ");
    // A cut may leave half a character.
    return cutToWeight(line.replace(FENCE, "<>").replaceAll('"', "'"), length).toWellFormed();
  };
  return {
    text: (text, length) => shown(text, length, secrets.mask),
    value(name, value, length) {
      const text = shown(value, length, (visible) => secrets.maskNamed(name, visible));
      return PLAIN.test(text) ? text : `"${text}"`;
    },
    numbers: (numbers) =>
      numbers.map((number) => (number.length > LONGEST_NUMBER ? "…" : secrets.mask(number))).join(", "),
  };
}

/** Where numbers go, without the numbers. */
function directionOf(numbers: readonly string[]): string {
  const steps = numbers.slice(1).map((number, at) => Math.sign(Number(number) - Number(numbers[at])));
  if (steps.every((step) => step >= 0)) return "up";
  return steps.every((step) => step <= 0) ? "down" : "up and down";
}

/** Names of tools and arguments are foreign, too. Whoever chose one may have chosen it for us to read, or made it of a secret. */
export function shownArgument(name: string): string {
  return /^[A-Za-z_][\w.-]{0,31}$/.test(name) && !looksSecret(name) ? name : "?";
}

/** A tool's label, or a hash in its place. */
export function shownTool(label: string): string {
  return label.startsWith("tool#") || !looksSecret(label) ? label : toolHash(label);
}

/** How much a text takes of an excerpt. Tokens of letters beyond ASCII hold fewer of them. */
export function weightOf(text: string): number {
  let weight = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x24f) weight += 2;
    else if (code > 0x7f) weight++;
  }
  return weight;
}

/** The beginning and the end of a text, as much as fits. */
function cutToWeight(text: string, weight: number): string {
  const all = weightOf(text);
  if (all <= weight) return text;
  const length = Math.max(1, Math.floor((weight * text.length) / all));
  const short = cut(text, length);
  return weightOf(short) <= 2 * weight ? short : cut(text, Math.max(1, Math.floor(length / 3)));
}

/** The beginning and the end of a text. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.floor(length * 0.6);
  return length < 40 ? `${text.slice(0, length - 1)}…` : `${text.slice(0, head)} … ${text.slice(head - length + 3)}`;
}

const LONGEST_PIECE = 64;
const GAP = /[\s"'`,;(){}<>=:[\]&?|\\]/;

/**
 * The beginning and the end of a text, without words that the cut has touched. What is left of a key would not look like one, and the
 * first word after the gap may be a secret whose name was left out.
 */
export function cutBetweenWords(text: string, length: number): string {
  if (text.length <= length) return text;
  const headEnd = Math.floor(length * 0.6);
  const tailStart = text.length - (length - headEnd - 3);
  return `${text.slice(0, lastGap(text, headEnd))} … ${text.slice(nextGap(text, tailStart))}`;
}

function lastGap(text: string, from: number): number {
  for (let at = from; at > from - LONGEST_PIECE; at--) if (GAP.test(text[at]!)) return at;
  return from;
}

/** After the word that was cut, and the one behind it. */
function nextGap(text: string, from: number): number {
  const end = Math.min(text.length, from + 2 * LONGEST_PIECE);
  let [at, words] = [from, 0];
  for (; at < end && words < 2; at++) if (GAP.test(text[at]!) && !GAP.test(text[at + 1] ?? "")) words++;
  return words === 0 ? from : at;
}
