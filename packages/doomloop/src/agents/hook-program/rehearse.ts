import { rmSync } from "node:fs";
import { join } from "node:path";
import { answerEvent } from "../hook/handle-hook-event.ts";
import { HOOKED_AGENTS } from "../index.ts";

/** Runs most of what a hook may have to do, in a folder that is removed again. Only code that has run can be kept compiled. */
export function rehearse(state: string): void {
  const folder = join(state, `rehearsal-${process.pid}`);
  try {
    for (const { name, hook } of HOOKED_AGENTS) {
      for (const event of hook.rehearsal?.() ?? []) {
        answerEvent(event, { host: name, isUnattended: true, state: folder, budgetMs: 0 });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
