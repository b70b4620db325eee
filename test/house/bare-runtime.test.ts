import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createContext, runInContext } from "node:vm";
import { createGuard } from "doomloop";
import fc from "fast-check";
import { rolldown } from "rolldown";
import { beforeAll, expect, it } from "vitest";
import { importPaths, packageHome } from "../../scripts/package/manifest.ts";
import { propertyRuns } from "../property-runs.ts";

/** Import paths that are about this machine: they have Node. The others run wherever an agent runs. */
const NEEDS_NODE = ["doomloop/fleet", "doomloop/workspace", "doomloop/transcripts"];
const paths = [...importPaths()].filter(([path]) => !NEEDS_NODE.includes(path));

/** Code that is no module, by file name, so that another realm can run it. */
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  const input = paths.map(([path, file]) => [path, file.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")]);
  const bundle = await rolldown({ cwd: packageHome, input: Object.fromEntries(input), external: /^node:/ });
  const { output } = await bundle.generate({ format: "cjs", entryFileNames: "[name]", chunkFileNames: "[name]" });
  await bundle.close();
  files = new Map(output.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file.code] as const] : [])));
});

/** A runtime that has the language and nothing else: no clock but `Date`, no timers, no text encoders, no console, no modules. */
function createBareRuntime(): (code: string) => Promise<string> {
  const context = createContext(Object.create(null));
  runInContext("delete globalThis.console; delete globalThis.WebAssembly;", context);
  const loaded = new Map<string, object>();
  const load = (name: string): object => {
    const exports = loaded.get(name) ?? {};
    if (loaded.has(name)) return exports;
    loaded.set(name, exports);
    const run = runInContext(`(function (exports, require) {${files.get(name)}\n})`, context, { filename: name });
    run(exports, (path: string) => load(path.replace(/^(?:\.{1,2}\/)+/, "")));
    return exports;
  };
  return async (code) => {
    const run = runInContext(`(async (load) => JSON.stringify(await (async () => {${code}})()))`, context);
    return run(load);
  };
}

it.each(paths)("loads %s in a runtime that has only the language", async (path) => {
  const inBare = createBareRuntime();

  expect(await inBare(`return typeof globalThis.TextEncoder + typeof globalThis.performance`)).toBe(
    '"undefinedundefined"',
  );
  expect(JSON.parse(await inBare(`return Object.keys(load(${JSON.stringify(path)}))`))).not.toEqual([]);
});

interface Watched {
  readonly decisions: readonly unknown[];
  readonly snapshot: unknown;
}

/** What a guard decides and remembers, saved and restored on the way, in this runtime or in a bare one. */
function watch(create: typeof createGuard, events: readonly object[]): Watched {
  let guard = create();
  const decisions = events.map((event, at) => {
    if (at % 25 === 3) guard = create({ snapshot: JSON.parse(JSON.stringify(guard.snapshot())) });
    return guard.observe(event as never);
  });
  return { decisions, snapshot: guard.snapshot() };
}

async function expectTheSame(events: readonly object[], inBare: (code: string) => Promise<string>): Promise<void> {
  const there = await inBare(`return (${watch})(load("doomloop").createGuard, ${JSON.stringify(events)})`);
  expect(JSON.parse(there)).toEqual(JSON.parse(JSON.stringify(watch(createGuard, events))));
}

it("decides and remembers there what it decides and remembers everywhere", async () => {
  const runs = readFileSync(resolve(import.meta.dirname, "../../clients/conformance.jsonl"), "utf8")
    .trim()
    .split("\n");
  const inBare = createBareRuntime();
  for (const run of runs.filter((_, at) => at % 8 === 0)) {
    await expectTheSame((JSON.parse(run) as { events: object[] }).events, inBare);
  }
});

it("reads text in any script there as it does everywhere, and text that is none", async () => {
  const inBare = createBareRuntime();
  const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((list) => String.fromCharCode(...list));
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(" ", "\n", "7", "/"), fc.string({ unit: "binary" }), units),
  });
  const property = fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (outputs) => {
    const events = outputs.flatMap((output, at) => [
      { type: "call", id: `${at}`, tool: "look", args: { q: output.slice(0, 3) } },
      { type: "result", id: `${at}`, output },
    ]);
    await expectTheSame(events, inBare);
  });
  await fc.assert(property, { numRuns: propertyRuns() / 10 });
});

/** What an adapter does about a tool that is called again and again, by hand. */
const LOOP_IN_ADAPTER = `
  const faults = [];
  const onFault = (fault) => faults.push(String(fault));
  const execute = () => ({ ok: false, error: "schema mismatch" });
  const { guard } = load("doomloop/ai-sdk");
  const { tools } = guard({ tools: { write_card: { execute } }, stopWhen: [] }, { ...options, onFault });
  const messages = [{ role: "user", content: "write" }];
  for (let at = 1; at <= 20; at++) {
    const call = { toolCallId: String(at), toolName: "write_card", input: { id: 7 } };
    try {
      await tools.write_card.execute(call.input, { toolCallId: call.toolCallId, messages: [...messages] });
    } catch (error) {
      return { at, faults, refusal: error.message };
    }
    messages.push({ role: "assistant", content: [{ type: "tool-call", ...call }] });
  }`;

const NO_CLOCK = "throw new Error('not in a workflow')";

it.each([
  ["none", ""],
  ["one that nobody may read", `globalThis.performance = { timeOrigin: 0, now() { ${NO_CLOCK} } };`],
  ["one that is itself out of bounds", `Object.defineProperty(globalThis, "performance", { get() { ${NO_CLOCK} } });`],
  ["half of one", "globalThis.performance = { now: () => 1 };"],
  ["none, not even of the time of day", `Date.now = () => { ${NO_CLOCK} };`],
])("breaks loops by hand and in an adapter where the clock is %s", async (_what, setUp) => {
  const inBare = createBareRuntime();
  const byHand = await inBare(`${setUp}
    const guard = load("doomloop").createGuard();
    for (let at = 1; ; at++) {
      const { stop } = await guard.call({ tool: "read_file", args: { path: "a.ts" } }, () => "text");
      if (stop) return { at, explanation: stop.explanation };
    }`);

  expect(JSON.parse(byHand)).toEqual({ at: 20, explanation: expect.stringContaining("read_file") });
  expect(JSON.parse(await inBare(`const options = {};${LOOP_IN_ADAPTER}`))).toEqual({
    at: 10,
    faults: [],
    refusal: expect.stringContaining("[doomloop] Not run"),
  });
});

it("says once that nobody can be asked there, and goes on without a second opinion", async () => {
  const outcome = await createBareRuntime()(`
    const options = { secondOpinion: load("doomloop/opinion").secondOpinion({ ask: () => undefined }) };${LOOP_IN_ADAPTER}`);

  expect(JSON.parse(outcome)).toMatchObject({ at: 10, faults: ["ReferenceError: AbortController is not defined"] });
});

it("survives a mistake that it cannot tell anybody about", async () => {
  const inBare = createBareRuntime();

  expect(await inBare(`return load("doomloop").createGuard().observe({ type: "tool_call" }).action`)).toBe(
    '"continue"',
  );
});
