import { idOf } from "../hash.ts";
import { topicOf } from "../memory.ts";
import { type Detector, NOTHING } from "./detector.ts";
import { addedBy, exactTopic } from "./repeat.ts";

const DEAD_ENDS = 9;
/** Over several calls, it takes so many times the evidence that one call takes. */
const LAPS = 2;
/** A call that was made so often needs no second lap of the others. */
const OFTEN = 3;

/** Calls that were all made before, in any order, and came to what they came to then. */
export const deadEnds: Detector<"call-cycle"> = {
  kind: "call-cycle",
  look(step, memory) {
    const { drought, world, recent } = memory;
    if (step.outcome === "unseen") return NOTHING;
    const known = topicOf(memory, exactTopic(step));
    if (known === undefined || known.world.turn !== world.turn || known.world.changes !== world.changes) return NOTHING;
    if (known.round === step.round || step.waitedMs > 0 || known.world.news !== world.news) return NOTHING;
    const added = addedBy(step, memory);
    if (added === 0) return NOTHING;
    const sum = drought + added;
    const count = known.count + 1;
    const evidence = 1 + (count >= OFTEN ? sum : sum / LAPS);
    const steps = recent.filter(({ isNewCall }) => !isNewCall).map(({ index }) => index);
    return [
      {
        about: idOf(DEAD_ENDS, world.turn, world.changes),
        evidence,
        count,
        steps: [...steps, step.index],
        isClear: false,
      },
    ];
  },
  covers: (call, last) => call.call === last.call,
};
