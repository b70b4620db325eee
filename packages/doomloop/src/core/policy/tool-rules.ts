import { DoomloopError } from "../doomloop-error.ts";
import type { DeclaredIdentity } from "../identity/fingerprint.ts";

/** What a host knows of one of its tools. */
export interface ToolRule {
  /**
   * Calls that are not looked at: they neither count nor interrupt what is counted. A function decides by arguments.
   * @default false
   */
  readonly ignore?: boolean | ((args: unknown) => boolean);
  /**
   * The tool waits for something or looks at a job: patience is measured in waiting, not in calls.
   * @default false
   */
  readonly poll?: boolean | { readonly patienceMs: number };
  /**
   * `"never"`: an equal call after a success is refused at once. For what must not happen twice.
   * @default "watched"
   */
  readonly repeat?: "watched" | "never";
  /** Whether the tool changes the world. Inferred where it is not declared. */
  readonly changes?: boolean;
  /** Barren repeats of one call of this tool that make a finding, instead of the detectors' own thresholds. */
  readonly threshold?: number;
  /** The arguments that make two calls the same in substance, or a function that returns what is compared. */
  readonly identity?: DeclaredIdentity;
}

export type ToolRules = Readonly<Record<string, ToolRule>>;

const NONE: ToolRule = Object.freeze({});

/** Makes a safe lookup of rules by tool name: names are foreign, and `constructor` is no rule. */
export function createToolRules(rules: ToolRules): (tool: string) => ToolRule {
  const byTool = new Map<string, ToolRule>();
  for (const tool of Object.keys(rules)) {
    const rule = rules[tool]!;
    checkRule(tool, rule);
    byTool.set(tool, rule);
  }
  return byTool.size === 0 ? () => NONE : (tool) => byTool.get(tool) ?? NONE;
}

function checkRule(tool: string, rule: ToolRule): void {
  if (typeof rule !== "object" || rule === null) {
    throw new DoomloopError("invalid-option", `tools["${tool}"]: a rule is required, got ${String(rule)}`);
  }
  const { threshold, poll } = rule;
  if (threshold !== undefined && !(Number.isInteger(threshold) && threshold >= 2)) {
    throw new DoomloopError(
      "invalid-option",
      `tools["${tool}"].threshold: an integer of at least 2 is required, got ${threshold}`,
    );
  }
  if (typeof poll === "object" && !(poll.patienceMs >= 0)) {
    throw new DoomloopError(
      "invalid-option",
      `tools["${tool}"].poll.patienceMs: a number of at least 0 is required, got ${String(poll.patienceMs)}`,
    );
  }
}
