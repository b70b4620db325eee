import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, findingsOf, result, round, step, times, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import { type NoProgressOptions, noProgress } from "./no-progress.ts";

const look = (name: string) => step("read_file", { path: `src/${name}.ts` }, `what ${name} has said ever since`);
const looks = (names: string) => [...names].flatMap(look);

const countsOf = (options: NoProgressOptions, events: readonly AgentEvent[]) =>
  findingsOf(noProgress(options), events).map(({ count }) => count);

describe("noProgress", () => {
  detectorContract(noProgress, looks("abcacbbacabc"), looks("abcadbeafbgchaibj"));

  it("fires at the threshold of rounds without news and not before", () => {
    expect(countsOf({ threshold: 4 }, looks("abc" + "bac"))).toEqual([]);
    expect(countsOf({ threshold: 4 }, looks("abc" + "bacab"))).toEqual([4, 5]);
    expect(findingsOf(noProgress({ threshold: 4 }), looks("abc" + "baca"))).toMatchObject([
      { steps: [3, 4, 5, 6], tools: ["read_file"], evidence: { isPage: false } },
    ]);
  });

  it.each([
    ["a new step", look("d")],
    ["a new outcome", step("read_file", { path: "src/a.ts" }, "what a has not said before")],
    ["a new change of the world", step("edit", { path: "a.ts", text: "x" }, "edited")],
    ["a word of the user", [user("go on")]],
  ])("begins anew after %s", (_what, events) => {
    expect(countsOf({ threshold: 4 }, [...looks("abcbac"), ...events, ...looks("a")])).toEqual([]);
  });

  it("weighs a round that fails again twice, and counts it once", () => {
    const dead = [..."abcd"].flatMap((name) => [call("fetch", { url: name }), failure(`${name} cannot be reached`)]);

    expect(countsOf({ threshold: 6 }, [...dead, ...dead.slice(0, 4)])).toEqual([]);
    expect(countsOf({ threshold: 6 }, [...dead, ...dead.slice(0, 6)])).toEqual([3]);
  });

  it("takes a round for new if anything in it is", () => {
    const batch = (name: string) => [
      round,
      call("read_file", { path: "src/a.ts" }, { id: "1" }),
      call("read_file", { path: name }, { id: "2" }),
      result("the first", { id: "1" }),
      result(`the second of ${name}`, { id: "2" }),
    ];

    expect(countsOf({ threshold: 2 }, [..."bcdefgh"].flatMap(batch))).toEqual([]);
    expect(countsOf({ threshold: 2 }, times(4, batch("b")))).toEqual([2, 2, 3, 3]);
  });

  it("says so where the steps act on pages", () => {
    const clicks = [..."abab"].flatMap((name) => step("browser_click", { element: name }, `page ${name} as before`));

    expect(findingsOf(noProgress({ threshold: 2 }), clicks)).toMatchObject([{ evidence: { isPage: true } }]);
  });

  it("leaves waiting alone", () => {
    const wait = step("wait", { seconds: 10 }, "waited");

    expect(countsOf({ threshold: 2 }, times(12, wait))).toEqual([]);
  });

  it("says nothing in a run that shows no results", () => {
    expect(countsOf({ threshold: 2 }, times(9, [call("ls"), call("pwd")]))).toEqual([]);
  });

  it("has one identity: there is one state of bringing nothing new", () => {
    const loopOf = (names: string) => findingsOf(noProgress({ threshold: 3 }), looks(names)).at(-1)?.loop;

    expect(loopOf("xyzxyyzx")).toBe(loopOf("abab" + "ab"));
  });

  it("counts the rounds since the last new step, in whatever order steps come back", () => {
    const property = fc.property(fc.array(fc.constantFrom(..."abcdef"), { maxLength: 12 }), (names) => {
      const seen = new Set<string>();
      let since = 0;
      for (const name of names) {
        since = seen.has(name) ? since + 1 : 0;
        seen.add(name);
      }

      expect(countsOf({ threshold: 3 }, names.flatMap(look)).at(-1) === since).toBe(since >= 3);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 2) });
  });

  it("refuses a threshold that one repeat would reach", () => {
    const message = "no-progress: threshold: … is required, got 1";

    expect(() => noProgress({ threshold: 1 })).toThrow(refusal(message));
  });
});
