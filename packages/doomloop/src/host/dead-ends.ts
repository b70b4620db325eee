import { setRecent } from "../core/collections/bounded.ts";
import type { Finding } from "../index.ts";

/** The loops that a run was told of: what an agent that starts over has to know. */
export interface DeadEnds {
  note(finding: Finding): void;
  forget(): void;
  /** Each loop once, with its latest count. */
  list(): readonly Finding[];
}

const MAX_LOOPS = 8;
const MAX_STEPS = 8;

/** Creates a list, empty or with the loops that were kept. The one that showed last the longest ago gives way. */
export function createDeadEnds(saved: readonly Finding[] = []): DeadEnds {
  const byLoop = new Map(saved.map((finding) => [finding.loop, finding]));
  return {
    note(finding) {
      setRecent(byLoop, finding.loop, { ...finding, steps: finding.steps.slice(-MAX_STEPS) }, MAX_LOOPS);
    },
    forget: () => byLoop.clear(),
    list: () => [...byLoop.values()],
  };
}
