import { expect, it } from "vitest";
import { mainRuns } from "./settle-runs.ts";

const run = (name: string, parent: string | null = null, agent = "codex") => ({
  id: `id-${name}`,
  record: { agent, run: name, parent },
});
const mainOf = (...runs: readonly ReturnType<typeof run>[]) =>
  Object.fromEntries(mainRuns(runs, ({ run: name }) => `absent-${name}`));

it("names the main agent's run, however deep a subagent's lies", () => {
  expect(mainOf(run("c", "b"), run("a"), run("b", "a"))).toEqual({ "id-a": null, "id-b": "id-a", "id-c": "id-a" });
});

it("names a main run that is not there, the same for all of its subagents", () => {
  expect(mainOf(run("b", "a"), run("c", "a"))).toEqual({ "id-b": "absent-a", "id-c": "absent-a" });
});

it("does not take another agent's run of that name", () => {
  expect(mainOf(run("a", null, "pi"), run("b", "a"))).toEqual({ "id-a": null, "id-b": "absent-a" });
});

it("leaves runs to themselves that name each other, or themselves", () => {
  expect(mainOf(run("a", "b"), run("b", "a"), run("c", "c"))).toEqual({ "id-a": null, "id-b": null, "id-c": null });
});
