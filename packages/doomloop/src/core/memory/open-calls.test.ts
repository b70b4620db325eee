import { describe, expect, it } from "vitest";
import { call, judgedBy, judgedIn, newRun, result, takeCall } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";
import { digestOf } from "../identity/digest.ts";
import { settleId } from "./open-calls.ts";

/** The tools whose results came, in order. */
function answered(events: readonly AgentEvent[]): string[] {
  return judgedBy(newRun({ progress: { seesResults: true } }), events).map(({ step }) => step.tool);
}

describe("a result", () => {
  it("belongs to the latest open call with its id", () => {
    const calls = [call("one", {}, { id: "x" }), call("two", {}, { id: "x" })];

    expect(answered([...calls, result("a", { id: "x" }), result("b", { id: "x" }), result("c", { id: "x" })])).toEqual([
      "two",
      "one",
    ]);
  });

  it("without an id belongs to the oldest open call", () => {
    expect(answered([call("one"), call("two"), result("a"), result("b"), result("c")])).toEqual(["one", "two"]);
  });

  it("with an unknown id belongs to nothing", () => {
    expect(answered([call("one", {}, { id: "x" }), result("a", { id: "y" })])).toEqual([]);
  });

  it("of a call that was given up belongs to nothing", () => {
    const calls = Array.from({ length: 65 }, (_, at) => call(`tool_${at}`, {}, { id: `${at}` }));

    expect(answered([...calls, result("a", { id: "0" }), result("a", { id: "64" })])).toEqual(["tool_64"]);
  });
});

describe("a call", () => {
  it("sent again while it is open is the same", () => {
    const sent = call("one", { a: 1 }, { id: "x" });

    expect(answered([sent, sent, result("a", { id: "x" }), result("b", { id: "x" })])).toEqual(["one"]);
  });

  it("is another with other arguments, or without an id", () => {
    expect(
      answered([call("one", { a: 1 }, { id: "x" }), call("one", { a: 2 }, { id: "x" }), result("a"), result("b")]),
    ).toEqual(["one", "one"]);
    expect(answered([call("one"), call("one"), result("a"), result("b")])).toEqual(["one", "one"]);
  });

  it("that was refused awaits no result, but may get one", () => {
    const run = newRun({ progress: { seesResults: true } });
    run.refuse(takeCall(run, call("refused", {})));
    run.take(call("next", {}));

    expect(judgedIn(run.take(result("a")))?.step.tool).toBe("next");
    expect(judgedIn(run.take(result("b")))?.step.tool).toBe("refused");
  });
});

describe("an id", () => {
  it.each(["x", "x".repeat(500)])("is known again after a save, which keeps its digest only: %s", (id) => {
    const run = newRun({ progress: { seesResults: true } });
    const sent = call("one", { a: 1 }, { id });
    const step = takeCall(run, sent);
    settleId(step);

    expect(step.id).toBe(digestOf(id));
    expect(run.take(sent).kind).toBe("nothing");
    expect(run.take(result("a", { id: "another" })).kind).toBe("nothing");
    expect(judgedIn(run.take(result("a", { id })))?.step.tool).toBe("one");
  });
});
