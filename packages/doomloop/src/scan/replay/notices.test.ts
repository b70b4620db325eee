import { expect, it } from "vitest";
import { createNotices } from "./notices.ts";

it("is empty if there were no problems", () => {
  const notices = createNotices();
  notices.skipEvents("a", 0);

  expect(notices.lines()).toEqual([]);
  expect(notices.hasFault).toBe(false);
});

it("reports each kind of problem once, with its first place", () => {
  const notices = createNotices();
  notices.skipLine("a.jsonl", 7, "malformed");
  notices.skipLine("a.jsonl", 9, "malformed");
  notices.skipLine("b.jsonl", 1, "too-long");
  notices.skipEvents("\u001b[2J", 1200);
  notices.skipOptions("y");
  notices.noteFault("x");

  expect(notices.lines()).toEqual([
    "2 lines without a run, skipped (first: a.jsonl, line 7)",
    "1 line over 256 MB, skipped (b.jsonl, line 1)",
    "1,200 events without a type, skipped (first: \\u{1b}[2J)",
    "1 run with invalid options, judged without them (y)",
    "1 run with a fault inside the guard (x)",
  ]);
  expect(notices.hasFault).toBe(true);
});
