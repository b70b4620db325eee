/** One update in a new process: what `main.ts` measures. Times the modules of Node that the journal needs, then the update. */
const [directory = "", session = "", bytes = ""] = process.argv.slice(2);

const start = performance.now();
await import("node:crypto");
const loadMs = performance.now() - start;

const { openJournal } = await import("../../packages/doomloop/src/agents/journal/journal.ts");
const begin = performance.now();
const { isKept } = openJournal<string>({ directory, session }).update(() => ({
  state: "x".repeat(Number(bytes)),
  result: undefined,
}));
console.log(JSON.stringify({ loadMs, updateMs: performance.now() - begin, isKept }));

export {};
