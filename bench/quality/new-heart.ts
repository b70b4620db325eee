import type { CallEvent } from "../../packages/doomloop/src/core/event.ts";
import { HINTS, NO_HINTS } from "../../packages/doomloop/src/core/hints/index.ts";
import type { CallTerms } from "../../packages/doomloop/src/core/reading/read-step.ts";
import { createWatch } from "../../packages/doomloop/src/core/watch.ts";
import { type AgentEvent, createGuard as createToday, type Decision } from "../../packages/doomloop/src/index.ts";
import { platform } from "../../packages/doomloop/src/platform.ts";

const ladder = { levels: { told: 3, refused: 10, ended: 20 }, hasWords: true, hasBlock: true, canEnd: true };
const ACTIONS = { continue: "continue", nudge: "nudge", warn: "nudge", block: "block", end: "stop" } as const;
const PATIENCE_MS = 1_800_000;

function termsOf({ readOnly }: CallEvent): CallTerms {
  const changes = typeof readOnly === "boolean" ? !readOnly : undefined;
  return { changes, identity: undefined, isPoll: false, isWayOut: undefined, patienceMs: PATIENCE_MS };
}

/**
 * The heart that stands beside today's, as a guard for every bench: `npm run bench quality -- --quick --guard bench/quality/new-heart.ts`.
 * What is no call, such as answers and streams of text, is judged by today's. With `NO_HINTS` in the environment, words say nothing.
 */
export function createGuard(): Pick<ReturnType<typeof createToday>, "observe" | "stats"> {
  const watch = createWatch({ hints: process.env.NO_HINTS ? NO_HINTS : HINTS, platform, termsOf }, ladder);
  const today = createToday();
  let faults = 0;
  return {
    observe(event: AgentEvent): Decision {
      try {
        const { reply, loop } = watch(event);
        const told = today.observe(event);
        if (told.finding?.kind === "text-only" || told.finding?.kind === "repeated-text") return told;
        const finding = loop && {
          kind: loop.kind,
          confidence: 1,
          tools: [loop.step.tool],
          count: 0,
          steps: [],
          loop: "",
        };
        return { action: ACTIONS[reply], message: "[doomloop]", ...(finding && { finding }) } as unknown as Decision;
      } catch {
        faults++;
        return { action: "continue" };
      }
    },
    stats: () => ({ ...today.stats(), faults }),
  };
}
