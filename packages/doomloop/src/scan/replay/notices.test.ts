import { expect, it } from "vitest";
import { createNotices } from "./notices.ts";

it("is empty if there were no problems", () => {
  const notices = createNotices();
  notices.note("events", "a", 0);

  expect(notices.lines()).toEqual([]);
  expect(notices.hasFault).toBe(false);
});

it("reports each kind of problem once, with its first place", () => {
  const notices = createNotices();
  notices.note("malformed", "a.jsonl, line 7");
  notices.note("malformed", "a.jsonl, line 9");
  notices.note("too-long", "b.jsonl, line 1");
  notices.note("events", "\u001b[2J", 1200);
  notices.note("options", "y");
  notices.note("fault", "x");

  expect(notices.lines()).toEqual([
    "2 lines without a run, skipped (first: a.jsonl, line 7)",
    "1 line over 256 MB, skipped (b.jsonl, line 1)",
    "1,200 events without a type, skipped (first: \\u{1b}[2J)",
    "1 run with invalid options, judged without them (y)",
    "1 run with a fault inside the guard (x)",
  ]);
  expect(notices.hasFault).toBe(true);
});
