import type { AgentEvent } from "../../packages/doomloop/src/index.ts";

const WORDS =
  "the run reads a file then looks for what the test says and finds that one value is not what it should be so it changes a line and tries again while the log tells where the fault may lie".split(
    " ",
  );

/** Numbers that look random and are the same every time. */
export function createNumbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * limit);
  };
}

/** Words without sense, about as long as asked for. */
export function prose(length: number, next: (limit: number) => number): string {
  const words: string[] = [];
  for (let written = 0; written < length; ) {
    const word =
      next(9) === 0
        ? `${WORDS[next(WORDS.length)]}.\n`
        : `${WORDS[next(WORDS.length)]}${next(7) === 0 ? next(1000) : ""}`;
    words.push(word);
    written += word.length + 1;
  }
  return words.join(" ");
}

/** A run as coding agents make them: looks, searches, edits and tests, now and then one again. */
export function generateRun(calls: number, seed: number): AgentEvent[] {
  const next = createNumbers(seed);
  const events: AgentEvent[] = [];
  for (let call = 0; call < calls; call++) {
    const id = `call_${seed}_${call}`;
    events.push({ type: "call", id, ...work(call, next) });
    events.push({ type: "result", id, output: prose([80, 300, 900, 3000][next(4)]!, next) });
  }
  return events;
}

function work(call: number, next: (limit: number) => number): { tool: string; args: Record<string, unknown> } {
  const path = `src/part-${100 + next(40)}/file-${100_000 + (next(5) === 0 ? next(20) : call)}.ts`;
  switch (next(5)) {
    case 0:
      return { tool: "read_file", args: { path, offset: next(20) * 100, limit: 100 } };
    case 1:
      return {
        tool: "bash",
        args: { command: `cd src && grep -rn "${WORDS[next(WORDS.length)]}${call}" ${path} | head -20` },
      };
    case 2:
      return { tool: "bash", args: { command: `npx vitest run ${path} 2>&1 | tail -30` } };
    case 3:
      return { tool: "edit_file", args: { path, old_text: prose(120, next), new_text: prose(160, next) } };
    default:
      return { tool: "search", args: { query: prose(30, next) } };
  }
}
