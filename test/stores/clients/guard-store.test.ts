import { guardStore } from "doomloop";
import { guard, loopStop } from "doomloop/openai";
import { Redis } from "ioredis";
import { expect, it } from "vitest";
import { onEachEngine } from "./one-server.ts";

const OUTPUT = "export const login = () => {};\n".repeat(10);

onEachEngine("a guard store", (store) => {
  /** One request with its own guard. Returns the decision on its call. */
  const serve = (run: string, messages: object[], onFault?: (fault: unknown) => void): Promise<string> =>
    guardStore({
      load: (key) => store.client.get(`guard:${key}`),
      save: (key, text) => store.client.set(`guard:${key}`, text, "EX", 60),
      levels: { told: 3, refused: 5, ended: 6 },
      ...(onFault && { onFault }),
    }).use(run, (own) => {
      const observe = guard(messages, { guard: own });
      observe();
      const readFile = { name: "read_file", arguments: '{"path":"a.ts"}' };
      const id = `call-${messages.length}`;
      messages.push({ role: "assistant", tool_calls: [{ id, type: "function", function: readFile }] });
      const { calls } = observe();
      if (calls.length > 0) messages.push({ role: "tool", tool_call_id: id, content: OUTPUT });
      return loopStop(observe) === undefined ? (calls.length > 0 ? "run" : "block") : "stop";
    });

  it("lets each request of a run continue where the last one ended", async () => {
    const [one, other]: [object[], object[]] = [[{ role: "user", content: "go" }], [{ role: "user", content: "go" }]];
    const done: string[] = [];
    for (let at = 0; at < 6; at++) done.push(await serve("one", one));

    expect(done).toEqual(["run", "run", "run", "run", "block", "stop"]);
    expect(await serve("other", other)).toBe("run");
  });

  it("starts a new guard if somebody else wrote to its key, and overwrites it", async () => {
    await store.client.set("guard:spoiled", "somebody else's");
    const faults: unknown[] = [];
    const messages: object[] = [{ role: "user", content: "go" }];

    expect(await serve("spoiled", messages, (fault) => void faults.push(fault))).toBe("run");
    expect(await serve("spoiled", messages, (fault) => void faults.push(fault))).toBe("run");
    expect(faults).toHaveLength(1);
  });

  it("serves requests while the server is down, and reports that once", async () => {
    const gone = new Redis({ host: "127.0.0.1", port: 1, maxRetriesPerRequest: 0, retryStrategy: () => null });
    gone.on("error", () => {});
    const faults: unknown[] = [];
    const away = guardStore({
      load: (key) => gone.get(key),
      save: (key, text) => gone.set(key, text),
      onFault: (fault) => void faults.push(fault),
    });
    for (let at = 0; at < 3; at++)
      expect(await away.use("a", (guard) => guard.observe({ type: "call", tool: "ls" }).action)).toBe("continue");

    expect(faults).toHaveLength(1);
    gone.disconnect();
  });
});
