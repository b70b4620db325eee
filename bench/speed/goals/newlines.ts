import { createGuard } from "../../../packages/doomloop/src/index.ts";
import type { Bench } from "../goal.ts";
import { measure } from "../measure.ts";

/** A model that has gone quite mad, in one piece. */
export const newlines: Bench = (clock) => {
  const text = "\n".repeat(40_000);
  const { ours } = measure(clock, {
    ours: () => {
      const guard = createGuard();
      return () => guard.observe({ type: "text", text, partial: true });
    },
  });
  return { what: "40,000 newlines in one piece of text", measured: ours, goal: 5, unit: "ms", detail: "one event" };
};
