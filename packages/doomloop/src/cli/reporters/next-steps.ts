import { columnsOf } from "../../system/printable.ts";

/** A suggestion: its purpose, and the command to copy. */
export interface NextStep {
  readonly purpose: string;
  readonly copy: string;
}

export interface NextStepsAbout {
  readonly showCommand: string;
  readonly tuneCommand: string;
  /** Undefined if there is nothing to advise. */
  readonly adviceCommand: string | undefined;
  /** Undefined if the page was just written. */
  readonly pageCommand: string | undefined;
  /** Whether some of the agents could have our hooks and do not. */
  readonly hasWirableAgent: boolean;
  /** Whether some agents have no hooks, or are the user's own. */
  readonly hasOtherAgent: boolean;
}

/** What the user can do about loops, most useful first. `own` formats one of our commands for copying. */
export function nextSteps(found: NextStepsAbout, own: (...words: string[]) => string): readonly NextStep[] {
  const steps = [{ purpose: "See one, step by step", copy: found.showCommand }];
  if (found.pageCommand !== undefined) steps.push({ purpose: "See all on a page", copy: found.pageCommand });
  if (found.hasWirableAgent) steps.push({ purpose: "Break the next one", copy: initCommand(own("init")) });
  if (found.hasOtherAgent) steps.push({ purpose: "Guard your own agent", copy: "npm install doomloop" });
  steps.push({ purpose: "Was one a false alarm?", copy: found.tuneCommand });
  if (found.adviceCommand !== undefined) steps.push({ purpose: "Rules for AGENTS.md", copy: found.adviceCommand });
  return steps;
}

/** Hooks need the package to stay where it is, and npx runs it from a cache. */
function initCommand(init: string): string {
  return init.startsWith("npx ") ? "npm install --global doomloop && doomloop init" : init;
}

/**
 * The suggestions as lines, or each command below its purpose if there is no room beside it. Commands are not wrapped, so
 * that they can be copied.
 */
export function stepLines(steps: readonly NextStep[], width: number): string {
  const room = Math.max(...steps.map(({ purpose }) => purpose.length)) + 2;
  const lines = steps.map(({ purpose, copy }) => `  ${purpose.padEnd(room)}${copy}`);
  if (lines.every((line) => columnsOf(line) <= width)) return lines.join("\n");
  return steps.map(({ purpose, copy }) => `  ${purpose}\n    ${copy}`).join("\n");
}
