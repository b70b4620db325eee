import assert from "node:assert/strict";
import { it } from "node:test";
import { decisionsOf, step, times } from "doomloop/testing";

it("tells an agent that it reads one file again and again", () => {
  const events = times(3, step("read_file", { path: "src/app.ts" }, "export const app = 1;"));

  assert.deepEqual(
    decisionsOf(events).map(({ action }) => action),
    ["nudge"],
  );
});

it("leaves an agent alone that reads three files", () => {
  const events = ["a.ts", "b.ts", "c.ts"].flatMap((path) => step("read_file", { path }, `the text of ${path}`));

  assert.deepEqual(decisionsOf(events), []);
});
