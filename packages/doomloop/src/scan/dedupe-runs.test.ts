import { expect, it } from "vitest";
import { mainRuns } from "./dedupe-runs.ts";

const run = (name: string, parent: string | null = null, agent = "codex") => ({
  id: `id-${name}`,
  record: { agent, run: name, parent },
});
const mainOf = (...runs: readonly ReturnType<typeof run>[]) =>
  Object.fromEntries(mainRuns(runs, ({ run: name }) => `absent-${name}`));

it("finds the main agent's run of a subagent at any depth", () => {
  expect(mainOf(run("c", "b"), run("a"), run("b", "a"))).toEqual({ "id-a": null, "id-b": "id-a", "id-c": "id-a" });
});

it("gives a missing main run one id for all its subagents", () => {
  expect(mainOf(run("b", "a"), run("c", "a"))).toEqual({ "id-b": "absent-a", "id-c": "absent-a" });
});

it("ignores another agent's run with the same name", () => {
  expect(mainOf(run("a", null, "pi"), run("b", "a"))).toEqual({ "id-a": null, "id-b": "absent-a" });
});

it("treats runs as main runs if they name each other or themselves as parent", () => {
  expect(mainOf(run("a", "b"), run("b", "a"), run("c", "c"))).toEqual({ "id-a": null, "id-b": null, "id-c": null });
});
