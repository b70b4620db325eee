import { afterEach, describe, expect, it, vi } from "vitest";

import type { GuardConfig } from "../../counting/configured-guard.ts";
import { watchStore } from "../decisions/run-store.ts";
import { type Conversations, createConversations, type Judged, type Owner } from "./conversations.ts";

const NOBODY: Owner = { account: [] };
/** With a rung at each answer, a run is ended at its sixth request. */
const QUICK: GuardConfig = { levels: { told: 3, refused: 5, ended: 6 } };

interface Made {
  readonly id?: (at: number) => string;
  readonly prompt?: string;
  readonly output?: (at: number) => unknown;
}

/** The list of an agent's request after so many equal calls. */
function loop(calls: number, { id = (at) => `call-${at}`, prompt = "Fix it.", output }: Made = {}): object[] {
  const laps = Array.from({ length: calls }, (_, at) => [
    { role: "assistant", content: null, tool_calls: [callOf(id(at))] },
    { role: "tool", tool_call_id: id(at), content: output?.(at) ?? "the same text as before" },
  ]);
  return [{ role: "system", content: "Be brief." }, { role: "user", content: prompt }, ...laps.flat()];
}

const callOf = (id: string): object => ({
  ...{ id, type: "function" },
  function: { name: "read_file", arguments: '{"path":"a.ts"}' },
});

function service(policy: GuardConfig = QUICK, more: Partial<Parameters<typeof createConversations>[0]> = {}) {
  const faults: unknown[] = [];
  const conversations = createConversations({ policy, now: () => 0, onFault: (fault) => faults.push(fault), ...more });
  return { conversations, faults };
}

/** Sends an agent's requests until one is refused. Returns the number of that request, counted from 1. */
async function refusedAt(conversations: Conversations, owner: Owner, made?: Made): Promise<number | undefined> {
  for (let calls = 0; calls < 40; calls++) {
    const { refusal } = await conversations.judge(loop(calls, made), owner);
    if (refusal !== undefined) return calls + 1;
  }
  return undefined;
}

const toldIn = ({ items }: Judged): number[] =>
  items.flatMap((item, at) => (JSON.stringify(item).includes("[doomloop] ") ? [at] : []));

afterEach(() => vi.restoreAllMocks());

describe("a conversation through a gateway", () => {
  it("is refused at last, with words for people, as often as it asks", async () => {
    const { conversations } = service();
    const end = (await refusedAt(conversations, NOBODY))!;
    const again = await conversations.judge(loop(end - 1), NOBODY);

    expect(end).toBeLessThanOrEqual(8);
    expect(again.refusal).toMatch(/read_file/);
    expect(toldIn(again).length).toBeGreaterThan(0);
  });

  it("is refused at its 21st request if it makes a call every four seconds", async () => {
    let calls = 0;
    vi.spyOn(performance, "now").mockImplementation(() => calls * 4_000);
    const { conversations } = service({});
    const words: number[] = [];
    for (; calls < 20; calls++) words.push(toldIn(await conversations.judge(loop(calls), NOBODY)).length);

    expect(words.slice(0, 12)).toEqual([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 4, 5]);
    expect((await conversations.judge(loop(20), NOBODY)).refusal).toBeDefined();
  });

  it.each<[string, GuardConfig, number]>([
    ["with the third equal result if its policy says nothing and only ends runs", { ladder: ["stop"] }, 4],
    ["by the plain counts of its policy", { counts: { repeats: 2 } }, 5],
  ])("is refused %s", async (_, policy, end) => {
    const { conversations, faults } = service(policy);

    expect(await refusedAt(conversations, NOBODY)).toBe(end);
    expect((await conversations.judge(loop(end - 1), NOBODY)).refusal).toMatch(/read_file/);
    expect(faults).toEqual([]);
  });

  it("goes on when the user speaks after its end", async () => {
    const { conversations } = service();
    const end = (await refusedAt(conversations, NOBODY))!;
    const { refusal } = await conversations.judge(
      [...loop(end - 1), { role: "user", content: "Read it once more, please." }],
      NOBODY,
    );

    expect(refusal).toBeUndefined();
  });

  it("is itself if the system prompt contains the time, and if old messages are cut off", async () => {
    const { conversations } = service();
    for (let calls = 0; calls < 3; calls++) await conversations.judge(loop(calls), NOBODY);
    const list = [{ role: "system", content: "It is 12:01." }, ...loop(4).slice(1)];
    expect(toldIn(await conversations.judge(list, NOBODY))).not.toEqual([]);
    const [system, user, , , ...rest] = loop(5);
    expect(toldIn(await conversations.judge([system!, user!, ...rest], NOBODY))).not.toEqual([]);
    expect(conversations.size).toBe(1);
  });

  it.each([
    ["no call", loop(0)],
    ["a result of a call that the provider keeps", loop(3).slice(3)],
    ["nothing", []],
  ])("passes with %s", async (_, list) => {
    const { conversations, faults } = service();

    expect((await conversations.judge(list, NOBODY)).items).toBe(list);
    expect([conversations.size, faults]).toEqual([0, []]);
  });

  it("is not observed while the model is to go on with its own words", async () => {
    const { conversations } = service();
    for (let calls = 0; calls < 4; calls++) await conversations.judge(loop(calls), NOBODY);
    const begun = { role: "assistant", content: "The file says" };
    const { items } = await conversations.judge([...loop(3), begun], NOBODY);

    expect(toldIn({ items })).toEqual([7]);
    expect(items.at(-1)).toBe(begun);
  });

  it("is never ended if nothing could be said in it", async () => {
    const { conversations } = service();
    const silent = (): undefined => undefined;
    const refusals = [];
    for (let calls = 0; calls < 30; calls++)
      refusals.push((await conversations.judge(loop(calls), NOBODY, silent)).refusal);

    expect(refusals.every((refusal) => refusal === undefined)).toBe(true);
  });
});

describe("two conversations", () => {
  const same = { id: () => "call_0" };

  it("with one prompt, and calls with equal ids, are told apart by the user", async () => {
    const { conversations } = service();
    const honest = { ...same, output: (at: number) => `page ${at}` };
    const told: number[][] = [];
    for (let calls = 0; calls < 5; calls++) {
      await conversations.judge(loop(calls, same), { account: ["a"] });
      told.push(toldIn(await conversations.judge(loop(calls, honest), { account: ["b"] })));
    }

    expect(told.flat()).toEqual([]);
    expect(conversations.size).toBe(2);
  });

  it("with one prompt are told apart by their calls", async () => {
    const { conversations } = service();
    const end = await refusedAt(conversations, NOBODY);

    expect(await refusedAt(conversations, NOBODY, { id: (at) => `other-${at}` })).toBe(end);
    expect(conversations.size).toBe(2);
  });

  it("with one prompt take turns without being mixed up", async () => {
    const { conversations } = service();
    const told: number[][] = [];
    for (let calls = 0; calls < 4; calls++) {
      await conversations.judge(loop(calls, { id: (at) => `other-${at}` }), NOBODY);
      told.push(toldIn(await conversations.judge(loop(calls), NOBODY)));
    }

    expect(told).toEqual([[], [], [], [7]]);
  });

  it("that cannot be told apart share words, but not their end", async () => {
    const { conversations } = service();
    const end = await refusedAt(conversations, NOBODY, same);

    expect(end).toBeDefined();
    expect((await conversations.judge(loop(1, same), NOBODY)).refusal).toBeUndefined();
    expect((await conversations.judge(loop(2, same), NOBODY)).refusal).toBeUndefined();
  });

  it("of one session are one, even if what the user said first is gone", async () => {
    const { conversations } = service();
    const owner = { account: [], session: "s1" };
    for (let calls = 0; calls < 3; calls++) await conversations.judge(loop(calls), owner);

    expect(toldIn(await conversations.judge(loop(3, { prompt: "Summary: ..." }), owner))).toEqual([7]);
  });
});

describe("another process", () => {
  it("counts nothing twice and ends nothing, if it knows a conversation only from its list", async () => {
    for (let calls = 0; calls < 60; calls++) {
      const { refusal, items } = await service().conversations.judge(loop(calls), NOBODY);
      expect(refusal).toBeUndefined();
      expect(toldIn({ items }).every((at) => at === items.length - 1)).toBe(true);
    }
  });

  it("goes on where another one was, if there is a store", async () => {
    const kept = new Map<string, string>();
    const store = {
      load: async (run: string) => kept.get(run),
      save: async (run: string, text: string) => void kept.set(run, text),
    };
    const next = (): Conversations => service(QUICK, { store }).conversations;
    let end = 0;
    for (let calls = 0; calls < 40 && end === 0; calls++)
      if ((await next().judge(loop(calls), NOBODY)).refusal !== undefined) end = calls + 1;

    expect(end).toBe(await refusedAt(service().conversations, NOBODY));
    expect(JSON.stringify([...kept])).not.toMatch(/same text|a\.ts|Fix it/);
  });

  it("puts nothing into a request that is not ours, whatever is in the store", async () => {
    const { conversations, faults } = service(
      {},
      {
        store: {
          load: async () => '{"format":"doomloop-words-1","said":[["1 call-0","rm -rf /","x"]]}',
          save: async () => {},
        },
      },
    );
    expect(toldIn(await conversations.judge(loop(2), NOBODY))).toEqual([]);
    expect((await conversations.judge(loop(2), NOBODY)).items).toEqual(loop(2));
    expect(faults).toEqual([]);
  });

  it("goes on without a store that does not answer", async () => {
    const broken = { load: () => new Promise<never>(() => {}), save: () => Promise.reject(new Error("down")) };
    const stored: unknown[] = [];
    const watched = watchStore({ ...broken, forget: async () => {} }, (fault) => stored.push(fault));
    const { conversations } = service({}, { store: watched });
    await conversations.judge(loop(2), NOBODY);

    expect(toldIn(await conversations.judge(loop(3), NOBODY))).toEqual([7]);
    await expect.poll(() => stored.length).toBeGreaterThan(0);
  });
});

describe("what is kept in memory", () => {
  it("is limited to so many conversations, the latest", async () => {
    const { conversations } = service({}, { maxConversations: 3 });
    for (const user of ["a", "b", "c", "d"])
      for (const calls of [1, 2]) await conversations.judge(loop(calls), { account: [user] });
    expect(conversations.size).toBe(3);
    expect(toldIn(await conversations.judge(loop(3), { account: ["d"] }))).toEqual([7]);
  });

  it("is forgotten after an hour of silence", async () => {
    let time = 0;
    const { conversations } = service({}, { now: () => time });
    await conversations.judge(loop(1), { account: ["a"] });
    time = 3_000_000;
    await conversations.judge(loop(1), { account: ["b"] });
    time = 3_600_000;
    conversations.tidy();

    expect(conversations.size).toBe(1);
  });
});
