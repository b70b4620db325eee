import { baseName } from "./base-name.ts";

const list = (text: string): string[] => text.split(" ");
/** How long, how loud, how urgent: the same command. With any other wrapper it is another. */
const SILENT = list("timeout gtimeout time nohup nice ionice stdbuf unbuffer command builtin exec setsid env xvfb-run");
/** Programs that run another one; their options that take the next word as value; the word that must come first. */
const WRAPPERS: ReadonlyMap<string, readonly [valued: RegExp, entry?: RegExp]> = new Map(
  (
    [
      [SILENT, /^(?:-[fonauC]|--unset|--chdir)$/],
      [list("timeout gtimeout"), /^(?:-[sk]|--signal|--kill-after)$/, /^\d/],
      [list("sudo doas"), /^(?:-[ughpCTD]|--user|--group)$/],
      [list("xargs"), /^(?:-[InPdLsaE]|--(?:max-args|max-procs|delimiter|arg-file))$/],
      [list("npx bunx uvx"), /^(?:-[pw]|--(?:package|workspace|from|with|python))$/],
      [list("uv poetry pipenv pdm hatch"), /^(?:-[pCPe]|--(?:python|with|extra|group|directory|project))$/, /^run$/],
      [list("coverage conda mamba"), /^(?:-[np]|--(?:name|prefix|source|include|omit|rcfile))$/, /^run$/],
      [list("npm pnpm yarn bundle"), /^(?:-[pCw]|--(?:package|dir|workspace))$/, /^(?:exec|dlx|x)$/],
    ] as const
  ).flatMap(([programs, ...shape]) => programs.map((program) => [program, shape] as const)),
);

/** Is the word of the form `NAME=value`, as it stands before a program or after `env`? */
export function isAssignment(word = ""): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word);
}

/** Finds the program behind `timeout 60`, `env A=b`, `uv run`. Skipped words that tell the command apart go to `kept`. */
export function unwrap(words: readonly string[], from: number, kept: string[]): number {
  for (let index = from; ; ) {
    const program = baseName(words[index] ?? "");
    const next = endOfWrapper(words, index, program);
    if (next >= words.length) return index;
    for (; index < next; index++) if (!SILENT.includes(program) || isAssignment(words[index])) kept.push(words[index]!);
  }
}

/** The index behind the wrapper's own words; past the end if it wraps nothing. */
function endOfWrapper(words: readonly string[], start: number, program: string): number {
  const [valued, entry] = WRAPPERS.get(program) ?? [];
  // `command -v name` asks where a program is and runs none.
  if (valued === undefined || /^command -[vV]$/.test(`${program} ${words[start + 1]}`)) return words.length;
  let isEntered = entry === undefined;
  for (let index = start + 1; index < words.length; index++) {
    const word = words[index]!;
    if (/^-./.test(word)) index += valued.test(word) ? 1 : 0;
    else if (!isEntered && !entry!.test(word)) break;
    else if (!isEntered) isEntered = true;
    else if (!isAssignment(word)) return index;
  }
  return words.length;
}
