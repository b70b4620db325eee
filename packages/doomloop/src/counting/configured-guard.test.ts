import { guardStore } from "doomloop";
import { createCountingGuard } from "doomloop/counting";
import { describe, expect, it } from "vitest";
import { call, times } from "../../../../test/builders.ts";
import { refusal } from "../../../../test/refusal.ts";
import { replayRun } from "../scan/replay/replay-run.ts";
import { createLiveRun } from "../service/decisions/live-run.ts";
import { checkJsonConfig, type GuardConfig } from "./configured-guard.ts";

const counts = { repeats: 2 };
const config: GuardConfig = { counts, ladder: ["stop"] };
const events = times(2, [call("open", { page: 1 })]);

describe("rules that count", () => {
  it("are followed wherever guards are made", async () => {
    const own = createCountingGuard(counts, { ladder: ["stop"] });
    const store = guardStore({
      ladder: ["stop"],
      createGuard: (options) => createCountingGuard(counts, options),
      load: () => undefined,
      save: () => undefined,
    });
    const live = createLiveRun({ run: "a", policy: "own", options: config, now: 0, onFault: () => undefined });
    const lasts = [
      events.map((event) => own.observe(event)).at(-1)?.action,
      events.map((event) => live.observe({ ...event }, 0)).at(-1)?.action,
      await store.use("a", (guard) => events.map((event) => guard.observe(event)).at(-1)?.action),
      replayRun(events, config).decisions.at(-1)?.action,
    ];

    expect(lasts).toEqual(["stop", "stop", "stop", "stop"]);
  });

  it("are checked with the options, also where no guard is made yet", () => {
    const message = "counts.repeats: an integer of at least 2 is required, got 1";

    expect(() => checkJsonConfig({ counts: { repeats: 1 } })).toThrow(refusal(message));
    expect(() => checkJsonConfig({ counts: 3 })).toThrow(refusal("counts: an object is required, got 3"));
    expect(() => checkJsonConfig(config)).not.toThrow();
  });
});
