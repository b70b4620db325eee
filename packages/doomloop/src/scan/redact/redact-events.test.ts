import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, result, text, user } from "../../../../../test/builders.ts";
import { piecesOf, secretShapes, secrets } from "../../../../../test/made-up-secrets.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { seededDraw } from "../../../../../test/seeded-draw.ts";
import type { AgentEvent, ResultEvent } from "../../core/event.ts";
import { readRequest } from "../../core/hints/request.ts";
import { redactEvents } from "./redact-events.ts";

const redact = (events: readonly unknown[], longestText?: number): readonly AgentEvent[] =>
  redactEvents(events as AgentEvent[], { draw: seededDraw(1), ...(longestText && { longestText }) }).events;

describe("redactEvents", () => {
  it("numbers ids, starts times at 0 and drops what people said", () => {
    const events = [
      user("my secret"),
      user("[doomloop] go on, Ada"),
      { ...call("read", { path: "x.ts" }), id: "toolu_01abc", at: 1_700_000_000_123 },
      { ...result("ok"), id: "toolu_01abc", at: 1_700_000_000_623 },
      { ...call("read"), id: "" },
    ];

    expect(redact(events)).toMatchObject([
      { type: "user" },
      { type: "user", text: "[doomloop]" },
      { id: "c1", at: 0 },
      { id: "c1", at: 500 },
      { id: "" },
    ]);
    expect(JSON.stringify(redact(events))).not.toMatch(/secret|Ada|toolu|1700/);
  });

  it.each([
    ["Measure Ada's report five times.", /^Measure (?!Ada)\w{3}'s \w{6} five times\.$/],
    ["Wait until Ada is back.", /^Wait until (?!Ada)\w{3} is \w{4}\.$/],
    ["Check all 12 rooms of Ada, and tell me when it is done.", /^Check all 12 \w{5} of (?!Ada)\w{3},/],
    ["エイダの部屋を5回確認して。", /, do it 5 times$/],
    ["エイダが戻るまで待って。", /, wait until it ends$/],
  ])("keeps what people asked for, and not their names: %s", (said, told) => {
    const [redacted] = redact([user(said)]) as readonly { text: string }[];

    expect(redacted!.text).toMatch(told);
    expect(redacted!.text).not.toMatch(/Ada|エイダ/);
    const asked = (text: string) => {
      const { orders } = readRequest(text);
      return [Math.max(0, ...orders.map(({ times }) => times)), orders.some(({ isSeries }) => isSeries)];
    };
    expect(asked(redacted!.text)).toEqual(asked(said));
  });

  it("keeps opinions, and nothing that only looks like one", () => {
    const opinion = { type: "opinion", question: 2, verdict: "stuck", since: 4 } as const;
    const forged = { type: "opinion", question: 3, verdict: "Ada" } as unknown as AgentEvent;

    expect(redact([{ ...opinion, note: "Ada" } as AgentEvent, forged])).toEqual([opinion]);
  });

  it("lets the core see that a request comes again", () => {
    const again = "Ada says: please go on with the second invoice";
    const [one, other, next] = redact([user(again), user(again), user("something else for Ada")]);

    expect(other).toEqual(one);
    expect(next).not.toEqual(one);
  });

  it("counts times from the earliest, and shortens gaps to 30 days", () => {
    const day = 86_400_000;
    const times = [1_700_000_000_000, 0, 1_700_000_000_500, 1_700_000_000_500 + 2 * day];
    const redacted = redact(times.map((at) => ({ ...call("read"), at }))) as readonly { at?: number }[];

    expect(redacted.map(({ at }) => at)).toEqual([30 * day, 0, 30 * day + 500, 32 * day + 500]);
  });

  it("keeps the facts that the core reads besides text", () => {
    const events: AgentEvent[] = [
      { type: "call", tool: "read", readOnly: true },
      { type: "result", output: "x", error: false, synthetic: true, length: 12_345, digest: "sha:acme" },
      { type: "result", cancelled: true },
      { type: "text", text: "done", partial: true },
      { type: "round" },
      { type: "compaction" },
      { type: "state", key: "failing test", value: 3 },
    ];

    expect(redact(events)).toEqual([
      events[0],
      { ...events[1], digest: expect.stringMatching(/^\d{24}$/) },
      events[2],
      events[3],
      events[4],
      events[5],
      events[6],
    ]);
  });

  it("shortens long texts and still tells them apart", () => {
    const long = (middle: string): string => `head ${"word ".repeat(200)}${middle}${" word".repeat(200)} tail`;
    const events = [result(long("a")), result(long("b")), result(long("a")), call("write", { content: long("a") })];
    const [one, other, again, written] = redact(events, 100) as readonly ResultEvent[];

    expect(one).toMatchObject({ length: long("a").length, digest: expect.any(String) });
    expect((one!.output as string).length).toBeLessThan(150);
    expect(again).toEqual(one);
    expect(other!.digest).not.toBe(one!.digest);
    expect(JSON.stringify(written).length).toBeLessThan(250);
  });

  it("reads arguments that are JSON text as the core does", () => {
    expect(redact([call("read", '{"path":"a.ts","seconds":10}')])).toMatchObject([
      { args: { path: "a.ts", seconds: 10 } },
    ]);
    expect(typeof (redact([call("read", "no json {")])[0] as { args: unknown }).args).toBe("string");
  });

  it("replaces numbers with others of the same magnitude, and keeps short ones", () => {
    const args = { latitude: 52.5163, tiny: 1.2345e-9, huge: 1.234e30, minus: -7431.5, page: 12 };
    const [redacted] = redact([call("x", args)]) as unknown as { args: Record<string, number> }[];
    const numbers = Object.values(redacted!.args);

    expect(numbers[4]).toBe(12);
    for (const [at, value] of Object.values(args).slice(0, 4).entries()) {
      expect(numbers[at]).not.toBe(value);
      expect(Math.floor(Math.log10(Math.abs(numbers[at]!)))).toBe(Math.floor(Math.log10(Math.abs(value))));
    }
    expect(numbers[3]).toBeLessThan(0);
  });

  it.each([
    [[..."hunter"]],
    [{ a: "h", b: "u", c: "n", d: "t", e: "e", f: "r" }],
    [[104, 117, 110, 116, 101, 114]],
    [["104", "117", "110", "116", "101", "114"]],
    [["68", "75", "6e", "74", "65", "72"]],
    [
      [
        [104, 117],
        [110, 116],
        [101, 114],
      ],
    ],
    [[..."hunter"].map((letter) => ({ letter }))],
    [{ ...[..."hunter"], more: "a longer text" }],
    [[0, 1, 1, 0, 1, 0, 0, 0]],
  ])("replaces text that was split into pieces: %j", (pieces) => {
    const drawn = Array.from({ length: 20 }, (_, seed) => {
      const { events } = redactEvents([result(pieces), result(pieces)], { draw: seededDraw(seed) });
      expect(events[1]).toEqual(events[0]);
      return JSON.stringify((events[0] as ResultEvent).output);
    });

    expect(new Set(drawn).size).toBe(20);
    expect(drawn).not.toContain(JSON.stringify(pieces));
  });

  it("accepts any trace", () => {
    let deep: unknown = "Ada";
    for (let depth = 0; depth < 5000; depth++) deep = { nested: [deep] };
    const names = JSON.parse('{"__proto__":{"constructor":"Ada"},"toString":"Ada","a":1,"A":2}') as object;
    const hostile: unknown[] = [
      { type: "call", tool: "x".repeat(100_000), args: deep, id: 7, at: Number.NaN },
      { type: "call", tool: 5, args: names },
      { type: "result", output: "\ud800 lone \udc00 \u0000", digest: "d".repeat(5000), length: -1, at: "now" },
      { type: "result", output: Array.from({ length: 50_000 }, (_, at) => at), error: "yes" },
      { type: "result", output: { ...Array(3), big: 1e300, small: 1e-300, minus: -0.5, date: new Date(0) } },
      { type: "text", text: 5 },
      { type: "reasoning", text: "é".repeat(100_000) },
      { type: "state", key: {}, value: 1 },
      { type: "toString" },
      { type: "user", text: { startsWith: 1 } },
    ];
    const written = JSON.stringify(redact(hostile));

    expect(JSON.parse(written)).toHaveLength(7);
    expect(written).not.toContain("Ada");
    expect(({} as Record<string, unknown>).constructor).toBe(Object);
  });

  it("shows no part of a secret, wherever it was", () => {
    fc.assert(
      fc.property(secrets, fc.nat(secretShapes.length - 1), fc.nat(), (secret, shape, seed) => {
        const events = [
          ...[user(secret), secretShapes[shape]!(secret), result(`the same, and ${secret}`), text(`I see ${secret}.`)],
          ...[result({ [secret]: [secret] }), { type: "state", key: secret, value: secret } as const],
          { ...result("x"), digest: secret },
        ];
        const written = JSON.stringify(redactEvents(events, { draw: seededDraw(seed) }));
        const own = new Set(piecesOf(secret, 8));

        expect([...piecesOf(written, 8)].filter((piece) => own.has(piece) && !KNOWN.test(piece))).toEqual([]);
      }),
      { numRuns: Math.max(10_000, propertyRuns()) },
    );
  });
});

/** Known words that may stay visible in a secret. Zeros alone stay zeros. */
const KNOWN = /^(?:diagnos|0+)$/;
