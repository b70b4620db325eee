import { expect, it } from "vitest";
import { createRunEvents, type RunEvents } from "./run-events.ts";

/** The events of a run, in a word or two each. */
function told(play: (run: RunEvents) => void): string[] {
  const items: string[] = [];
  const run = createRunEvents("r", {
    session: (_run, facts) => items.push(`model ${facts.model}`),
    event: (_run, event) =>
      items.push(event.type === "text" ? `${event.partial === true ? "piece" : "answer"} ${event.text}` : event.type),
    usage: (_run, usage) => items.push(`usage ${usage.outputTokens}`),
    end: () => items.push("end"),
  });
  play(run);
  run.end();
  return items;
}

const usage = (outputTokens: number) => ({ inputTokens: 1, outputTokens });

it("sends text that comes with calls as pieces, and text alone as an answer", () => {
  const items = told((run) => {
    run.round();
    run.text("I look.");
    run.call("1", "ls", {});
    run.text("Wait.");
    run.result("1", "a");
    run.round();
    run.text("Done.");
  });

  expect(items).toEqual(["round", "piece I look.", "call", "piece Wait.", "result", "round", "answer Done.", "end"]);
});

it("continues an answer that comes in parts, and sends its usage once", () => {
  const items = told((run) => {
    run.round("a");
    run.usage(usage(1));
    run.call("1", "ls", {});
    run.result("1", "x");
    run.round("a");
    run.usage(usage(5));
    run.call("2", "ls", {});
    run.round("b");
    run.text("Done.");
  });

  expect(items).toEqual(["round", "call", "result", "call", "usage 5", "round", "answer Done.", "end"]);
});

it("begins an answer if the format does not mark it", () => {
  const items = told((run) => {
    run.call("1", "ls", {});
    run.call("2", "ls", {});
    run.result("1", "x");
    run.answered();
    run.usage(usage(3));
    run.reasoning("Hm.");
    run.user("Go on.");
    run.text("Yes.");
  });

  expect(items).toEqual([
    "round",
    "call",
    "call",
    "result",
    "usage 3",
    "round",
    "reasoning",
    "user",
    "round",
    "answer Yes.",
    "end",
  ]);
});

it("ignores blank text, and names a model once", () => {
  const items = told((run) => {
    run.model("m");
    run.model("m");
    run.model(undefined);
    run.text(" \n");
    run.reasoning("");
    run.text(undefined);
  });

  expect(items).toEqual(["model m", "end"]);
});

it("does not collect an endless answer", () => {
  const items = told((run) => {
    for (let count = 0; count < 100; count++) run.text(`${count}`);
  });

  expect(items.filter((item) => item.startsWith("piece")).length).toBe(96);
});
