import { describe, expect, it } from "vitest";
import { call, decisionsOf, round, times } from "../../testing/events.ts";

const turns = (...calls: ReturnType<typeof call>[]) => calls.flatMap((each) => [round, each]);

describe("a run that shows no results", () => {
  it("is judged by its calls, and not before some were made", () => {
    const same = call("click", { element: 7 });

    expect(decisionsOf(turns(...(times(3, [same]) as (typeof same)[])))).toEqual([]);
    expect(decisionsOf(times(12, [round, same]))[0]).toMatchObject({
      finding: { kind: "repeated-call", evidence: { outcome: "blind" } },
    });
  });

  it("is told of calls in turn", () => {
    const lap = turns(call("open", { page: "a" }), call("open", { page: "bazaar" }), call("close", { tab: 1 }));

    expect(decisionsOf(times(5, lap)).length).toBeGreaterThan(0);
  });

  it("is left alone where each call is another", () => {
    const pages = [
      "home",
      "orders",
      "lamps",
      "chairs",
      "basket",
      "paying",
      "address",
      "thanks",
      "profile",
      "help",
      "logout",
      "done",
    ];

    expect(decisionsOf(turns(...pages.map((page) => call("open", { page }))))).toEqual([]);
  });
});
