import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { byLevel, intervalOf, measureWords } from "../../bench/words/measure-words.ts";
import { stagesOf } from "../../bench/words/stages.ts";
import { STUCK } from "../../bench/words/stuck-conversations.ts";

interface ChatRequest {
  readonly messages: { role: string; content: string | null; tool_calls?: object[] }[];
}

/** A model that makes its last call again, unless the latest result says what it listens to. */
let listensTo = "nothing";
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { messages } = JSON.parse(Buffer.concat(parts).toString()) as ChatRequest;
    const before = messages.findLast(({ tool_calls: calls }) => calls !== undefined)!;
    const isLeaving = messages.at(-1)!.content!.includes(listensTo);
    const message = isLeaving ? { role: "assistant", content: "I stop here." } : before;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message }] }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(() => server.close());

const measure = (samples = 2) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return measureWords({ url, model: "scripted", key: undefined, temperature: 0 }, STUCK, samples);
};

describe("stagesOf", () => {
  it.each(STUCK)("brings words to every stuck conversation: $name", (conversation) => {
    const stages = stagesOf(conversation);

    expect(stages[0]?.level).toBe("first words");
    for (const { words, withWords, without } of stages) {
      expect(JSON.stringify(withWords.at(-1))).toContain(JSON.stringify(words).slice(1, -1));
      expect(JSON.stringify(without)).not.toContain("[doomloop]");
      expect(withWords).toHaveLength(without.length);
    }
  });

  it("reaches every level somewhere", () => {
    const levels = STUCK.flatMap((conversation) => stagesOf(conversation).map(({ level }) => level));

    expect(new Set(levels)).toEqual(new Set(["first words", "said again", "last warning", "a refused call"]));
  });

  it("says what other templates say", () => {
    expect(stagesOf(STUCK[0]!, { nudge: () => "Enough." })[0]?.words).toBe("[doomloop] Enough.");
  });
});

describe("measureWords", () => {
  it("finds that a model which never listens never leaves", async () => {
    listensTo = "no such words";

    for (const { withWords, without } of await measure()) expect([withWords.left, without.left]).toEqual([0, 0]);
  });

  it("finds at which words a model leaves, and that it does not without them", async () => {
    listensTo = "Last warning";

    for (const { level, withWords, without } of await measure()) {
      expect(withWords.left).toBe(level === "last warning" ? 2 : 0);
      expect(without.left).toBe(0);
    }
  });

  it("adds conversations up by level", async () => {
    listensTo = "[doomloop]";
    const rows = await measure(1);
    const [first] = byLevel(rows);

    expect(first).toMatchObject({ conversation: "all", level: "first words" });
    expect(first?.withWords).toEqual({ left: STUCK.length, asked: STUCK.length });
  });
});

describe("intervalOf", () => {
  it.each([
    [0, 20, 0, 0.161],
    [10, 20, 0.299, 0.701],
    [20, 20, 0.839, 1],
  ])("of %d in %d is %d to %d", (left, asked, lowest, highest) => {
    const [from, to] = intervalOf({ left, asked });

    expect(from).toBeCloseTo(lowest, 3);
    expect(to).toBeCloseTo(highest, 3);
  });
});
