import fc from "fast-check";
import { expect, it } from "vitest";
import { call, result, round, text, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { AgentEvent } from "../../core/event.ts";
import { createCallIndices } from "./call-indices.ts";

function indicesOf(events: readonly AgentEvent[]): number[] {
  const indices = createCallIndices();
  return events.map((event) => indices.indexOf(event));
}

const callWith = (id: string) => call("read", {}, { id });
const resultOf = (id: string) => result("ok", { id });

it.each([
  { title: "counts calls from 0", events: [call("a"), call("b")], indices: [0, 1] },
  {
    title: "gives a result without an id to the oldest open call",
    events: [call("a"), call("b"), result(""), result("")],
    indices: [0, 1, 0, 1],
  },
  {
    title: "gives a result to the call with its id",
    events: [callWith("x"), callWith("y"), resultOf("x"), resultOf("y")],
    indices: [0, 1, 0, 1],
  },
  {
    title: "gives a result to the latest open call with its id",
    events: [callWith("x"), callWith("x"), resultOf("x"), resultOf("x")],
    indices: [0, 1, 1, 0],
  },
  {
    title: "takes an id again after its call was answered",
    events: [callWith("x"), resultOf("x"), callWith("x"), resultOf("x")],
    indices: [0, 0, 1, 1],
  },
  {
    title: "lets a result without an id answer a call with one",
    events: [callWith("x"), callWith("y"), result(""), resultOf("x")],
    indices: [0, 1, 0, 1],
  },
  {
    title: "puts a result of nothing after the latest call",
    events: [call("a"), result(""), result(""), resultOf("z")],
    indices: [0, 0, 0, 0],
  },
  {
    title: "puts everything else after the latest call",
    events: [text("hm"), call("a"), call("b"), round, user("go on")],
    indices: [0, 0, 1, 1, 1],
  },
])("$title", ({ events, indices }) => {
  expect(indicesOf(events)).toEqual(indices);
});

it("answers each call at most once", () => {
  const id = fc.constantFrom("x", "y", undefined);
  const event = fc.oneof(
    id.map((own) => call("a", {}, { id: own })),
    id.map((own) => result("", { id: own })),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const indices = createCallIndices();
      const open = new Map<number, string | undefined>();
      for (const each of events) {
        const before = indices.count;
        const index = indices.indexOf(each);
        if (each.type === "call") {
          expect(index).toBe(before);
          open.set(index, each.id);
          continue;
        }
        const fitting = [...open].filter(([, own]) => each.id === undefined || own === each.id);
        const wanted = each.id === undefined ? fitting[0] : fitting.at(-1);
        expect(index).toBe(wanted?.[0] ?? Math.max(0, indices.count - 1));
        if (wanted !== undefined) open.delete(wanted[0]);
      }
    }),
    { numRuns: propertyRuns() },
  );
});
