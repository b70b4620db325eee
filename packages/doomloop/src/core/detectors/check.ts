import { idOf } from "../hash.ts";
import { topicOf } from "../memory.ts";
import { ATTEMPT } from "../numbers.ts";
import { isVain } from "../step.ts";
import { type Detector, NOTHING } from "./detector.ts";

const CHECK = 6;

/** One check that fails as before in spite of changes. */
export const check: Detector<"test-fix"> = {
  kind: "test-fix",
  look(step, memory) {
    if (!isVain(step) || step.waitedMs > 0 || step.failure?.isTransient) return NOTHING;
    const { recent, world } = memory;
    let passed = 0;
    for (const each of recent) if (each.call === step.call && !isVain(each)) passed = each.index + 1;
    const about = idOf(CHECK, world.turn, step.call, step.failure?.line ?? step.result, passed);
    const known = topicOf(memory, about);
    if (known?.round === step.round) return [{ ...known, about, isClear: false }];
    // Without a change in between, it is a repeat.
    const isTriedAnew = known !== undefined && known.world.changes !== world.changes;
    const evidence = known === undefined ? 1 : known.evidence + (isTriedAnew ? step.trust * ATTEMPT : 0);
    const steps = [...(known?.steps ?? []), step.index];
    return [{ about, evidence, count: (known?.count ?? 0) + 1, steps, isClear: step.failure?.isTransient !== true }];
  },
  covers: (call, last) => call.call === last.call,
};
