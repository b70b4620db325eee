import { type AgentEvent, createGuard, type Decision, type GuardStoreOptions, guardStore } from "doomloop";
import { guard as guardList, type Observe } from "doomloop/openai";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { arbitraryConversation, type ScriptedTurn } from "../../../test/arbitrary-conversation.ts";
import { propertyRuns } from "../../../test/property-runs.ts";

const WORDS = "[doomloop]";
/** Levels that six calls reach. */
const QUICK = { levels: { told: 3, refused: 5, ended: 6 } } as const;
const SAME = "README.md  package.json  package-lock.json  tsconfig.json  vitest.config.ts  src  test  docs\n".repeat(3);

/** A store in memory, and what was saved in it. */
function memoryStore(options: Partial<GuardStoreOptions> = {}) {
  const saved = new Map<string, string>();
  const saves: string[] = [];
  const store = () =>
    guardStore({
      load: async (run) => saved.get(run),
      save: async (run, text) => {
        saves.push(run);
        saved.set(run, text);
      },
      ...options,
    });
  return { saved, saves, store };
}

const call = (id: string, name = "read_file", args: object = { path: "secret-path.ts" }): object => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
});
const result = (id: string, content: string): object => ({ role: "tool", tool_call_id: id, content });

/** One request of an agent that makes one call, as a handler would serve it. Returns what was done about the call. */
function serve(observe: Observe<object>, list: object[], made: object, output: string): string {
  if (observe(list).isOver) return "over";
  const isTold = JSON.stringify(list.at(-1)).includes(WORDS);
  list.push(made);
  const { calls, isOver } = observe(list);
  for (const each of calls) list.push(result((each as { id: string }).id, output));
  return isOver ? "over" : calls.length === 0 ? "blocked" : isTold ? "told" : "ran";
}

describe("guardStore", () => {
  it("keeps runs apart, and saves only what has changed", async () => {
    const { store, saves } = memoryStore();
    await store().use("a", (guard) => void guard.observe({ type: "round" }));
    await store().use("b", (guard) => void guard.peek({ type: "round" }));

    expect(saves).toEqual(["a"]);
    expect(await store().use("b", (guard) => guard.stats().checks)).toBe(0);
  });

  it("saves no arguments and no results", async () => {
    const { store, saved } = memoryStore();
    const list: object[] = [{ role: "user", content: "a secret task" }];
    await store().use("a", (guard) => void serve(guardList(list, { guard }), list, call("c1"), "a secret result"));
    await store().use("a", (guard) => void serve(guardList(list, { guard }), list, call("c2"), "a secret result"));

    expect(saved.get("a")).not.toContain("secret");
  });

  it("handles a user, a compacted list and a list of new items as one process would", async () => {
    const { store } = memoryStore(QUICK);
    const heard: string[] = [];
    const observe = (list: object[]) =>
      store().use("a", (own) => {
        const heardBy = (event: AgentEvent): Decision => {
          heard.push(event.type);
          return own.observe(event);
        };
        guardList(list, { guard: { ...own, observe: heardBy } })();
      });
    await observe([{ role: "user", content: "go" }, call("c1")]);
    await observe([result("c1", "ok")]);
    await observe([{ role: "user", content: "Summary." }, call("c2"), result("c2", "ok"), call("c3")]);

    expect(heard).toEqual(["user", "round", "call", "result", "compaction", "round", "call"]);
  });

  it("throws for invalid options only", () => {
    expect(() => guardStore({} as GuardStoreOptions)).toThrow("guardStore: load must be a function, got undefined");
    expect(() => memoryStore({ preset: "none" as "balanced" }).store()).toThrow();
  });
});

describe("guardStore, on faults", () => {
  const broken = (): never => {
    throw new Error("the store is down");
  };

  it.each<[string, Partial<GuardStoreOptions>]>([
    ["load throws", { load: broken }],
    ["load is rejected", { load: () => Promise.reject(new Error("down")) }],
    ["load gives something else", { load: () => 7 as unknown as string }],
    ["load gives garbage", { load: () => "{}" }],
    ["load gives a text of another form", { load: () => 'doomloop-guard-0 00\n{"guard":{}}' }],
    ["save throws", { save: broken }],
    ["save is rejected", { save: () => Promise.reject(new Error("down")) }],
    ["a guard cannot be made", { createGuard: broken }],
  ])("continues if %s, and reports it once", async (_name, options) => {
    const faults: unknown[] = [];
    const store = memoryStore({ ...options, onFault: (fault) => void faults.push(fault) }).store();
    const answers: unknown[] = [];
    for (let at = 0; at < 2; at++)
      answers.push(await store.use("a", (guard) => guard.observe({ type: "call", tool: "ls" }).action));

    expect(answers).toEqual(["continue", "continue"]);
    expect(faults).toHaveLength(1);
  });

  it("starts fresh from a text that was cut or changed in any way", async () => {
    const { store, saved } = memoryStore();
    await store().use("a", (guard) => void guard.observe({ type: "call", tool: "ls" }));
    const text = saved.get("a")!;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: text.length - 1 }), fc.boolean(), async (at, isCut) => {
        const faults: unknown[] = [];
        const bad = isCut ? text.slice(0, at) : `${text.slice(0, at)}\u0007${text.slice(at + 1)}`;
        const damaged = memoryStore({ load: () => bad, onFault: (fault) => void faults.push(fault) }).store();

        expect(await damaged.use("a", (guard) => guard.stats().checks)).toBe(0);
        expect(faults).toHaveLength(1);
      }),
      { numRuns: Math.ceil(propertyRuns() / 10) },
    );
  });

  it("starts fresh silently if nothing was saved, or an empty text", async () => {
    const faults: unknown[] = [];
    for (const nothing of [undefined, null, ""]) {
      const empty = memoryStore({ load: () => nothing, onFault: (fault) => void faults.push(fault) }).store();
      expect(await empty.use("a", (guard) => guard.stats().checks)).toBe(0);
    }

    expect(faults).toEqual([]);
  });

  it("reports a guard that is used after its request because nobody awaited it", async () => {
    const faults: unknown[] = [];
    const { store } = memoryStore({ onFault: (fault) => void faults.push(fault) });
    let late: Promise<unknown> | undefined;
    await store().use("a", (guard) => {
      late = new Promise(setImmediate).then(() => guard.observe({ type: "call", tool: "ls" }));
    });
    await late;

    expect(faults.map(String)).toEqual([expect.stringContaining("return or await what you do with it")]);
  });

  it("saves no run without a name, and reports it, because all of them would be one run", async () => {
    const faults: unknown[] = [];
    const { store, saved } = memoryStore({ onFault: (fault) => void faults.push(fault) });
    await store().use(undefined as never, (guard) => void guard.observe({ type: "call", tool: "ls" }));

    expect(saved.size).toBe(0);
    expect(faults.map(String)).toEqual([expect.stringContaining("a run needs a name")]);
  });

  it("throws what the request throws, and still saves what it saw", async () => {
    const { store, saves } = memoryStore();
    const failing = store().use("a", (guard) => {
      guard.observe({ type: "call", tool: "ls" });
      throw new RangeError("the request's own");
    });

    await expect(failing).rejects.toThrow(RangeError);
    expect(saves).toEqual(["a"]);
  });
});

describe("guardStore, on time", () => {
  afterEach(() => void vi.restoreAllMocks());

  function clock() {
    let at = 1000;
    vi.spyOn(performance, "now").mockImplementation(() => at);
    return (ms: number): void => {
      at += ms;
    };
  }

  /** A process for each request. The tool takes time, and so does the start of the next process. Two other calls show the run's own pace. */
  async function play(made: (at: number) => object, output: string, ms: { tool: number; wait: number }) {
    const pass = clock();
    const { store } = memoryStore();
    const list: object[] = [{ role: "user", content: "go" }];
    const done: string[] = [];
    for (let at = -1; at <= 28; at++) {
      const isFirst = at <= 0;
      await store().use("a", (guard) => {
        pass(2000);
        const [next, text] = isFirst
          ? [call(`r${at}`, "list_files", { path: `${at}` }), `${at}.ts`]
          : [made(at), output];
        done.push(serve(guardList(list, { guard }), list, next, text));
        pass(isFirst ? 100 : ms.tool);
      });
      pass(isFirst ? 100 : ms.wait);
    }
    return done;
  }

  it("sees the pause between two processes, so polling is left alone", async () => {
    const inbox = (at: number) => call(`c${at}`, "check_inbox", {});

    expect(new Set(await play(inbox, "no new messages", { tool: 100, wait: 60_000 }))).toEqual(new Set(["ran"]));
  });

  it("sees the pause between two processes, so a file looked at every minute is not refused", async () => {
    const log = (at: number) => call(`c${at}`);

    expect(new Set(await play(log, SAME, { tool: 100, wait: 60_000 }))).toEqual(new Set(["ran", "told"]));
    expect(new Set(await play(log, SAME, { tool: 100, wait: 100 }))).toContain("blocked");
  });

  it("counts the time of a slow tool as the tool's", async () => {
    const test = (at: number) => call(`c${at}`, "bash", { command: "npm test" });
    const done = await play(test, "FAIL a.test.ts\nTests: 1 failed, 12 passed", { tool: 20_000, wait: 100 });

    expect(done.indexOf("told")).toBe(5);
    expect(done).toContain("blocked");
    expect(done.at(-1)).toBe("over");
  });

  it("decides as one process that serves all requests would, whatever they contain", async () => {
    let at = 0;
    vi.spyOn(performance, "now").mockImplementation(() => at);
    await fc.assert(
      fc.asyncProperty(arbitraryConversation(), async (turns) => {
        const { store } = memoryStore(QUICK);
        const [one, many]: [object[], object[]] = [[], []];
        const lived = guardList(one, { guard: createGuard(QUICK) });
        for (const turn of turns) {
          const before = at;
          const answered = (): void => {
            at = before + 3000;
          };
          const seen = step(lived, one, turn, answered);
          at = before;
          expect(await store().use("a", (guard) => step(guardList(many, { guard }), many, turn, answered))).toBe(seen);
        }
      }),
      { numRuns: Math.ceil(propertyRuns() / 10) },
    );
  });

  /** A turn of a conversation. Returns what is done about it, as text. Only the model takes time. */
  function step(observe: Observe<object>, list: object[], turn: ScriptedTurn, answered: () => void): string {
    if (turn.by !== "model") {
      list.push({ role: turn.by === "user" ? "user" : "developer", content: turn.text });
      return "";
    }
    if (observe(list).isOver) return "over";
    answered();
    const tool_calls = turn.calls.map(({ id, tool, args }) => ({
      id,
      type: "function",
      function: { name: tool, arguments: JSON.stringify(args) },
    }));
    list.push({ role: "assistant", content: turn.text || null, ...(tool_calls.length > 0 && { tool_calls }) });
    for (const { id } of observe(list).calls as { id: string }[])
      list.push(result(id, turn.calls.find((each) => each.id === id)!.output));
    return JSON.stringify(list);
  }
});
