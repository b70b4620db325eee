/** One name in the spellings that code has for it. */
export interface Names {
  /** `idle-talk`: files, folders, kinds. */
  readonly kebab: string;
  /** `idleTalk`: functions. */
  readonly camel: string;
  /** `IdleTalk`: types. */
  readonly pascal: string;
  /** `Idle talk`: people. */
  readonly label: string;
}

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/;
const MAX_LENGTH = 40;
/** Names of a single word that no function can have, or that read as words of the language. */
const RESERVED = new Set(
  (
    "arguments as async await break case catch class const continue debugger default delete do else enum eval export extends false finally " +
    "for from function get if implements import in instanceof interface let new null of package private protected public return set " +
    "static super switch this throw true try type typeof undefined var void while with yield"
  ).split(" "),
);

/** Reads a name in kebab case. Throws for any other. */
export function namesOf(kebab: string): Names {
  if (RESERVED.has(kebab)) throw new Error(`new: ${kebab} is reserved, and no function can have that name`);
  if (!KEBAB.test(kebab) || kebab.length > MAX_LENGTH) {
    throw new Error(
      `new: a name of lower-case words and hyphens is required, at most ${MAX_LENGTH} characters, got ${JSON.stringify(kebab.slice(0, 80))}`,
    );
  }
  const camel = kebab.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const words = kebab.replaceAll("-", " ");
  return { kebab, camel, pascal: upperFirst(camel), label: upperFirst(words) };
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
