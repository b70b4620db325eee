import { createNumbers, prose } from "../speed/sample-runs.ts";

/** One call of a session: what was said before it, what it is and what came of it. */
export interface SessionStep {
  readonly words: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
}

/**
 * Characters of outputs, each as likely as the others: their spread and mean (1.6 KB) over the 53,000 results of the four coding sources of the corpus.
 */
const OUTPUT_LENGTHS = [
  45, 45, 45, 64, 64, 90, 115, 180, 253, 350, 474, 600, 772, 1_000, 1_233, 1_700, 2_238, 4_039, 4_887, 14_000,
];
/** Of 100 calls: the shares of an interactive coding agent in the corpus, of which 52 are shell. */
const SHELL = 52;
const READ = 72;
const EDIT = 92;
/** One output in so many is not plain ASCII. */
const FOREIGN = 40;

/** One session in so many ends in a loop, as in the corpus (2,969 of 18,037 runs). */
const LOOPING = 6;
const LAPS = 8;

/** The steps of one session of a coding agent. `PART` stands for what tells sessions apart. */
export function sessionSteps(calls: number, seed: number): SessionStep[] {
  const next = createNumbers(seed + 1);
  const steps = honestSteps(calls, next);
  if (seed % LOOPING !== LOOPING - 1) return steps;
  const input = { file_path: `src/part-PART/lost-${seed}.ts` };
  const lost = { words: prose(80, next), tool: "Read", input, output: "Error: no such file or directory" };
  return steps.slice(0, -LAPS).concat(Array.from({ length: LAPS }, () => lost));
}

function honestSteps(calls: number, next: (limit: number) => number): SessionStep[] {
  return Array.from({ length: calls }, (_, call) => ({
    words: prose(80, next),
    ...work(call, next),
    output: outputText(OUTPUT_LENGTHS[next(OUTPUT_LENGTHS.length)]!, next),
  }));
}

/** Lines of words with quotes: about four of a hundred characters are escaped in JSON, as in the corpus. */
function outputText(length: number, next: (limit: number) => number): string {
  const text = prose(length, next).replaceAll("\n ", '\n"');
  return next(FOREIGN) === 0 ? `✓ ${text}` : text;
}

/** A call: half of the arguments are under 70 characters, edits have a kilobyte. No two sessions share a path. */
function work(call: number, next: (limit: number) => number): { tool: string; input: Record<string, unknown> } {
  const path = `src/part-PART/file-${100_000 + (next(5) === 0 ? next(20) : call)}.ts`;
  const kind = next(100);
  if (kind < SHELL) return { tool: "Bash", input: { command: command(path, call, next) } };
  if (kind < READ) return { tool: "Read", input: { file_path: path, offset: next(20) * 100, limit: 100 } };
  if (kind < EDIT)
    return { tool: "Edit", input: { file_path: path, old_string: prose(400, next), new_string: prose(600, next) } };
  return { tool: "Grep", input: { pattern: prose(20, next), path: "src", output_mode: "content" } };
}

function command(path: string, call: number, next: (limit: number) => number): string {
  switch (next(4)) {
    case 0:
      return `cd src && grep -rn "fault${call}" ${path} | head -20`;
    case 1:
      return `npx vitest run ${path} 2>&1 | tail -30`;
    case 2:
      return `sed -n '${call},${call + 40}p' ${path}`;
    default:
      return `cat > ${path} <<'END'\n${prose(next(4) === 0 ? 900 : 120, next)}\nEND\nnode ${path}`;
  }
}
