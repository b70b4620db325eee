import { wrapText } from "../terminal/columns.ts";

/** One thing to do: what for, and the command or words to copy. */
export interface NextStep {
  readonly purpose: string;
  readonly copy: string;
}

/** For the file of instructions that coding agents read. */
const RULE =
  "Before you repeat a call, say what has changed since the last time. If nothing has, do something else or ask.";

/** What somebody can do about loops, in the order in which most would. `own` writes a command of ours, as it can be copied. */
export function nextSteps(found: NextStepsAbout, own: (...words: string[]) => string): readonly NextStep[] {
  const steps = [{ purpose: "See one, step by step", copy: found.showCommand }];
  if (found.pageCommand !== undefined) steps.push({ purpose: "See all as a page", copy: found.pageCommand });
  if (found.hasWirableAgent) steps.push({ purpose: "Break the next one", copy: own("init") });
  if (found.hasOtherAgent) steps.push({ purpose: "Guard an agent of yours", copy: "npm install doomloop" });
  steps.push({ purpose: "Was one no loop?", copy: found.tuneCommand });
  if (found.hasWirableAgent) steps.push({ purpose: "A rule for AGENTS.md", copy: RULE });
  return steps;
}

export interface NextStepsAbout {
  readonly showCommand: string;
  readonly tuneCommand: string;
  /** Undefined where the page was just written. */
  readonly pageCommand: string | undefined;
  /** Some of the agents can be given a hook. */
  readonly hasWirableAgent: boolean;
  /** Some cannot, or are the user's own. */
  readonly hasOtherAgent: boolean;
}

/** The steps as lines. Commands are not wrapped: they are there to be copied. */
export function stepLines(steps: readonly NextStep[], width: number): string {
  const room = Math.max(...steps.map(({ purpose }) => purpose.length)) + 2;
  const lines = steps.map(({ purpose, copy }) => {
    const text = copy === RULE ? wrapText(copy, Math.max(20, width - room - 2)) : copy;
    return `  ${purpose.padEnd(room)}${text.replaceAll("\n", `\n${" ".repeat(room + 2)}`)}`;
  });
  return lines.join("\n");
}
