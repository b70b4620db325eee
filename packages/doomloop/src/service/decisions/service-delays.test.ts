import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DecisionService, startDecisionService } from "./decision-service.ts";
import { readPolicies } from "./policies.ts";

const TOKEN = "a-token-of-the-tests";
/** Others may have the processor for a while, so the best of some attempts counts. */
const ATTEMPTS = 12;
let service: DecisionService;
let conversations = 0;
beforeEach(async () => {
  const options = { host: "127.0.0.1", port: 0, token: TOKEN, policies: readPolicies() };
  service = await startDecisionService({ ...options, onNote() {} });
});
afterEach(() => service.end());

async function post(
  path: string,
  body: string | Buffer<ArrayBuffer>,
): Promise<{ readonly status: number; readonly text: string }> {
  const address = `http://127.0.0.1:${service.port}${path}`;
  const response = await fetch(address, { method: "POST", headers: { authorization: `Bearer ${TOKEN}` }, body });
  return { status: response.status, text: await response.text() };
}

/** How long a request takes, and for how long of that nothing else was done. */
async function delayBy(
  path: string,
  body: string | Buffer<ArrayBuffer>,
): Promise<{ readonly whole: number; readonly longest: number }> {
  const start = performance.now();
  let [last, longest, isOver] = [start, 0, false];
  const look = (): void => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await post(path, body);
  isOver = true;
  return { whole: performance.now() - start, longest };
}

/**
 * The part of the whole for which a request kept others waiting. The shortest of each counts. The whole is what `wholeOf` takes, or the
 * request itself.
 */
async function partOf(
  path: string,
  body: () => string | Buffer<ArrayBuffer>,
  enough: number,
  wholeOf?: () => number,
): Promise<number> {
  let [longest, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < ATTEMPTS && !(longest < whole * enough && attempt > 0); attempt++) {
    const delay = await delayBy(path, body());
    longest = Math.min(longest, delay.longest);
    whole = Math.min(whole, wholeOf?.() ?? delay.whole);
  }
  return longest / whole;
}

const laps = (count: number, output: (at: number) => unknown): object => {
  const events = Array.from({ length: count }, (_, at) => at).flatMap((at) => [
    { type: "call", id: `${at}`, tool: "get", args: { q: `z${at}` } },
    { type: "result", id: `${at}`, output: output(at) },
  ]);
  return { events };
};
const conversation = (calls: number): object => {
  const messages = Array.from({ length: calls }, (_, at) => at).flatMap((at) => [
    {
      role: "assistant",
      tool_calls: [{ id: `c${at}`, type: "function", function: { name: "get", arguments: `[${at}]` } }],
    },
    { role: "tool", tool_call_id: `c${at}`, content: `${at} ${"some words of a page ".repeat(100)}` },
  ]);
  const json = { messages: [{ role: "user", content: "Get it." }, ...messages], user: `${conversations++}` };
  return { eventType: "beforeRequestHook", request: { json } };
};

describe("a request", () => {
  it("keeps others waiting for a small part of the time that it takes to read bytes that are no text", async () => {
    const bytes = Buffer.alloc(3_900_000, 0xff);
    const read = (): number => {
      const start = performance.now();
      bytes.toString("utf8");
      return performance.now() - start;
    };

    expect(await partOf("/v1/runs/a/events", () => bytes, 0.5, read)).toBeLessThan(0.5);
  });

  it.each([
    ["many results", "/v1/runs/a/events", () => laps(500, (at) => `${at} ${"some words of a page ".repeat(300)}`)],
    ["many values", "/v1/runs/a/events", () => laps(400, (at) => Array.from({ length: 150 }, (_, n) => n * at))],
    ["a long conversation", "/v1/guardrails/portkey", () => conversation(800)],
  ])("takes turns with others while it is judged: %s", async (_, path, make) => {
    expect(await partOf(path, () => JSON.stringify(make()), 0.5)).toBeLessThan(0.5);
  });
});
