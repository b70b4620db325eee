/** Stands for letters that a pattern leaves open. */
export const OPEN = "~";
/** Stands for whatever ends a word. */
const END = " ";
/** More texts than this are not put together: what comes next begins anew. */
const MOST = 2000;

interface Source {
  readonly pattern: string;
  at: number;
}

/**
 * The texts that a regular expression of ours speaks of, as far as they are letters and digits. `fail(?:ed|ure)?` is `fail`, `failed` and
 * `failure`; where it leaves letters open, as in `\w{0,20}ing`, stands {@link OPEN}. Reads what our sources use, not all that there is.
 */
export function textsOfPattern(pattern: string): readonly string[] {
  const done: string[] = [];
  const source: Source = { pattern, at: 0 };
  // An expression that says nothing of where it begins finds its words inside others, too.
  const texts = readAlternatives(source, done).map((text) => OPEN + text + OPEN);
  if (source.at < pattern.length) throw new Error(`textsOfPattern: cannot read ${pattern} from ${source.at} on`);
  return [...done, ...texts];
}

function readAlternatives(source: Source, done: string[]): string[] {
  const all = readSequence(source, done);
  while (source.pattern[source.at] === "|") {
    source.at++;
    all.push(...readSequence(source, done));
  }
  return [...new Set(all)];
}

function readSequence(source: Source, done: string[]): string[] {
  let texts = [""];
  while (source.at < source.pattern.length && !"|)".includes(source.pattern[source.at]!)) {
    const next = readQuantifier(source, readAtom(source, done));
    if (texts.length * next.length > MOST) {
      done.push(...texts);
      texts = [END];
    }
    texts = [...new Set(texts.flatMap((text) => next.map((more) => text + more)))];
  }
  return texts;
}

function readQuantifier(source: Source, texts: string[]): string[] {
  const [quantifier, least] = /^(?:[*?]|\+|\{(\d+)(?:,\d*)?\})\??/.exec(source.pattern.slice(source.at)) ?? ["", ""];
  source.at += quantifier.length;
  return /^[*?]/.test(quantifier) || least === "0" ? ["", ...texts] : texts;
}

function readAtom(source: Source, done: string[]): string[] {
  const { pattern } = source;
  const character = pattern[source.at++]!;
  if (character === "(") {
    source.at += /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(pattern.slice(source.at))?.[0].length ?? 0;
    const texts = readAlternatives(source, done);
    source.at++;
    return texts;
  }
  if (character === "[") return readClass(source);
  if (character === ".") return [OPEN];
  if (character !== "\\") return /[A-Za-z0-9]/.test(character) ? [character] : [END];
  const escaped = pattern[source.at++]!;
  return escaped === "w" || escaped === "S" || escaped === "D" ? [OPEN] : [END];
}

/** A class of a few letters is each of them, one of many leaves open which. */
function readClass(source: Source): string[] {
  const [body] = /^(?:\\.|[^\]\\])*/.exec(source.pattern.slice(source.at))!;
  source.at += body.length + 1;
  if (body.startsWith("^") || /\\w|-[a-zA-Z]/.test(body)) return [OPEN];
  const letters = [...body.replaceAll(/\\.|\d-\d/g, "").replaceAll(/[^A-Za-z]/g, "")];
  return letters.length === body.length ? letters : [END, ...letters];
}
