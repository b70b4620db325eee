import { expect, it } from "vitest";
import { createRunEvents, type RunEvents } from "./run-events.ts";

/** What is told of a run, a word or two for each. */
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

it("tells words that come with calls as pieces, and words alone as an answer", () => {
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

it("goes on with an answer that is told in parts, and tells its usage once", () => {
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

it("begins an answer where a format has no mark for it", () => {
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

it("says nothing of blank words, and names a model once", () => {
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
