import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { boundedJson } from "./bounded-json.ts";

/** The text of a body, and in how many steps it was made. */
function bounded(text: string, isOfEvents = true): { readonly text: string; readonly steps: number } {
  const scan = boundedJson(Buffer.from(text), isOfEvents);
  for (let steps = 1; ; steps++) {
    const step = scan.next();
    if (step.done === true) return { text: step.value, steps };
  }
}

const body = (field: string, value: string): string => `{"events":[{"type":"result","${field}":${value},"id":"1"}]}`;
const eventIn = (text: string) => JSON.parse(text).events[0];
const rows = (count: number, last = "x"): string =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, name: id === count - 1 ? last : `user ${id}` })));

describe("the text of a body", () => {
  it("stays as it is if it is simple, whatever its texts contain", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.boolean(), (text, isOfEvents) => {
        expect(bounded(text, isOfEvents).text).toBe(text);
      }),
      { numRuns: propertyRuns() },
    );
    const texts = JSON.stringify({ events: [{ type: "user", text: '[{"\\'.repeat(50_000) }] });
    expect(bounded(texts).text).toBe(texts);
  });

  it.each([
    ["many items", `[${"1,".repeat(100_000)}1]`],
    ["many fields", `{${Array.from({ length: 20_000 }, (_, at) => `"${at}":1`).join()}}`],
    ["many lists", `[${"[],".repeat(100_000)}1]`],
    ["deep lists", "[".repeat(65) + "]".repeat(65)],
    ["deep objects", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`],
  ])("shows the beginning, the length and a digest of a value with %s", (_, value) => {
    const event = eventIn(bounded(body("output", value)).text);

    expect(event).toMatchObject({ type: "result", id: "1", length: value.length });
    expect(event.output).toBe(`${value.slice(0, 4096)} [${value.length} bytes, ${event.digest}]`);
    expect(bounded(body("output", value)).text.length).toBeLessThan(10_000);
  });

  it("tells large values apart wherever they differ, and only then", () => {
    const digestOf = (value: string) => eventIn(bounded(body("output", value)).text).digest;

    expect(digestOf(rows(20_000))).toBe(digestOf(rows(20_000)));
    expect(digestOf(rows(20_000))).not.toBe(digestOf(rows(20_000, "y")));
  });

  it.each(["args", "value", "meta"])("describes only outputs by fields of their own, and not %s", (field) => {
    expect(Object.keys(eventIn(bounded(body(field, rows(20_000))).text))).toEqual(["type", field, "id"]);
    expect(eventIn(bounded(body("output", ` ${rows(20_000)}`)).text).digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it("keeps what a client says about its output", () => {
    const text = `{"events":[{"type":"result","output":${rows(20_000)},"digest":"mine","length":7}]}`;
    expect(eventIn(bounded(text).text)).toMatchObject({ digest: "mine", length: 7 });
  });

  it("has values of many events as text once they are too many together", () => {
    const events = Array.from({ length: 1000 }, (_, at) => ({
      type: "result",
      id: `${at}`,
      output: Array(900).fill(at),
    }));
    const read = JSON.parse(bounded(JSON.stringify({ events })).text).events;

    expect(read).toHaveLength(1000);
    expect(read[0].output).toEqual(events[0]!.output);
    expect(read[999].output).toContain("[999,999,");
  });

  it.each([
    ["too many events", `{"events":[${"1,".repeat(200_000)}1]}`, true],
    ["too many fields", `{${'"events":[],'.repeat(30_000)}"events":[]}`, true],
    ["a list that is too deep", `{"messages":${"[".repeat(64)}${"]".repeat(64)}}`, false],
    ["too many messages", `{"messages":[${'{"role":"user"},'.repeat(30_000)}1]}`, false],
  ])("is refused with %s", (_, text, isOfEvents) => {
    expect(() => bounded(text, isOfEvents)).toThrow(/fewer fields and items/);
  });

  it.each(["[".repeat(100_000), `{"events":[{"args":${"[".repeat(1000)}`, '{"text":"'])(
    "is refused if it is not closed: %.20s",
    (text) => expect(() => bounded(text)).toThrow("the body is not valid JSON"),
  );

  it("is made in small steps", () => {
    expect(bounded(body("output", `[${"1,".repeat(1_000_000)}1]`)).steps).toBeGreaterThan(20);
  });
});
