import { createGuard, type GuardOptions, guardStore } from "doomloop";
import { describe, expect, it } from "vitest";
import { call, times } from "../../../test/builders.ts";
import { refusal } from "../../../test/refusal.ts";
import { checkGuardOptions } from "./create-guard.ts";
import { replayRun } from "./scan/replay/replay-run.ts";
import { createLiveRun } from "./service/decisions/live-run.ts";

const counts: GuardOptions = { counts: { repeats: 2 }, ladder: ["stop"] };
const events = times(2, [call("open", { page: 1 })]);

describe("the option counts", () => {
  it("is followed wherever guards are made", async () => {
    const own = createGuard(counts);
    const store = guardStore({ ...counts, load: () => undefined, save: () => undefined });
    const live = createLiveRun({ run: "a", policy: "own", options: counts, now: 0, onFault: () => undefined });
    const lasts = [
      events.map((event) => own.observe(event)).at(-1)?.action,
      events.map((event) => live.observe({ ...event }, 0)).at(-1)?.action,
      await store.use("a", (guard) => events.map((event) => guard.observe(event)).at(-1)?.action),
      replayRun(events, counts).decisions.at(-1)?.action,
    ];

    expect(lasts).toEqual(["stop", "stop", "stop", "stop"]);
  });

  it("is checked with the others, also where no guard is made yet", () => {
    const message = "counts.repeats: an integer of at least 2 is required, got 1";

    expect(() => checkGuardOptions({ counts: { repeats: 1 } })).toThrow(refusal(message));
    expect(() => checkGuardOptions(counts)).not.toThrow();
  });
});
