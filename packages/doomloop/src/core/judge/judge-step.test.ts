import { describe, expect, it } from "vitest";
import { actionsOf, call, failure, latestIn, result, step, times } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";

const LONG = `a record of more than two hundred characters, ${"which nobody gives twice word for word ".repeat(4)}`;
const read = step("read_file", { path: "a.ts" }, "export const a = 1;");
const missing = [call("read_file", { path: "b.ts" }), failure("ENOENT: no such file")];
const order = (output: string) => step("get_order", { id: 7 }, output);
const shell = (command: string, output: string) => step("bash", { command }, output);
const lookedAt = (at: number) => [call("get_order", { id: 7 }, { at }), result(LONG, { at: at + 1 })];
const isProof = (events: readonly AgentEvent[]): boolean => latestIn(events).isProof;

describe("a step", () => {
  it("is proof from the second time on that it comes back exactly", () => {
    expect([1, 2, 3].map((count) => isProof(times(count, read)))).toEqual([false, true, true]);
    expect([1, 2, 3].map((count) => isProof(times(count, missing)))).toEqual([false, true, true]);
  });

  it.each<[string, AgentEvent[], boolean]>([
    ["a long answer of a service", order(LONG), true],
    ["a short answer of a service, which others may change", order("none"), false],
    ["a failure of a service, which others may mend", [call("get_order"), failure("no such order")], false],
    ["a failure for good, whoever is asked", [call("get_order"), failure("permission denied")], true],
    ["a program that asks a service, however much it tells", shell("kubectl get pods", LONG), false],
    ["a program that looks at files", shell("grep -rn retry src", "src/a.ts:3: retry()"), true],
    ["an act that says no more than that it was done", step("click", { ref: "e5" }, "ok"), false],
    ["an act that shows what came of it", step("click", { ref: "e5" }, LONG), true],
    ["a measurement", shell("hyperfine ./a", LONG), false],
    ["a thought", step("think", { thought: "I must look again." }, LONG), false],
  ])("that is %s: %s", (_what, events, expected) => {
    expect(isProof(times(3, events))).toBe(expected);
  });

  it("is no proof where it is the same but for a time, unless it fails", () => {
    const clocks = ["10:00:01", "10:00:02", "10:00:03"];
    const failing = (at: string) => [call("read_file", { path: "b.ts" }), failure(`${at} ENOENT: no such file`)];

    expect(isProof(clocks.flatMap((at) => order(`${LONG} ${at}`)))).toBe(false);
    expect(isProof(clocks.flatMap(failing))).toBe(true);
  });

  it("is no proof where something new was tried in between", () => {
    const other = step("read_file", { path: "c.ts" }, "export const c = 3;");

    expect(isProof([...times(2, missing), ...other, ...missing])).toBe(false);
    expect(isProof([...times(2, missing), ...other, ...times(2, missing)])).toBe(true);
  });

  it.each<[string, AgentEvent[]]>([
    ["its answer says that something goes on", times(3, order(`status: running, ${LONG}`))],
    ["it sleeps", times(3, shell("sleep 5 && cat a.ts", LONG))],
    ["it comes after a pause", [0, 60_000, 120_000].flatMap((at) => lookedAt(at))],
  ])("is no proof where it waits: %s", (_what, events) => {
    expect(latestIn(events)).toMatchObject({ isWaiting: true, isProof: false });
  });

  it("is told and never refused where it is the same but for a time, however often it comes", () => {
    const looks = Array.from({ length: 40 }, (_, at) => order(`${LONG} 10:${10 + at}:01`)).flat();

    expect(new Set(actionsOf(looks))).toEqual(new Set(["nudge"]));
  });

  it("tells all where nothing is forgiven, as much as it says where something is, and nothing where it says no word", () => {
    const tells = (events: readonly AgentEvent[]) => latestIn(times(2, events)).tells;

    expect(tells(read)).toBe(1_000);
    expect(tells(order("7 orders are open now"))).toBe("7 orders are open now".length);
    expect(tells(step("click", { ref: "e5" }, "ok"))).toBe(0);
    expect(latestIn(order("7 orders are open now")).tells).toBe(1_000);
  });

  it("counts the lines of its outcome that were new to the run, where it has some", () => {
    const lines = (words: readonly string[]) => step("search", { query: words[0] }, words.map(line).join("\n"));
    const line = (word: string) => `src/${word}.ts: export function ${word}()`;

    expect(latestIn(lines(["open", "close"])).step).toMatchObject({ pieces: 2, fresh: 2 });
    expect(latestIn([...lines(["open", "close"]), ...lines(["close", "open", "read"])]).step).toMatchObject({
      pieces: 3,
      fresh: 1,
    });
    expect(latestIn(order("open: 7")).step).toMatchObject({ pieces: 0, fresh: 0 });
  });
});
