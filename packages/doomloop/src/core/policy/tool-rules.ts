import { DoomloopError } from "../doomloop-error.ts";
import { safely, type TellMisuse, untold } from "../faults.ts";
import { toolLabel } from "../identity/call-identity.ts";
import type { FleetScope } from "../reading/run-memory.ts";

/** How a tool's rule declares which arguments make two calls the same. */
export type DeclaredIdentity = readonly string[] | ((args: unknown) => unknown);

/** What a host says about one of its tools. */
export interface ToolRule {
  /**
   * Ignores calls of the tool: they neither count nor interrupt what is counted. A function decides by arguments.
   * @default false
   */
  readonly ignore?: boolean | ((args: unknown) => boolean);
  /**
   * The tool polls: it waits for something or checks on a job. The guard then measures waiting time instead of counting calls.
   * @default false
   */
  readonly poll?: boolean | { readonly patienceMs: number };
  /**
   * `"never"`: after a success, the same call is refused at once. For actions that must not happen twice.
   * @default "watched"
   */
  readonly repeat?: "watched" | "never";
  /**
   * Whether the tool finishes the work, gives up, hands over or asks a person. Such calls are told of once and never refused. Inferred
   * from the name if you leave it out, unless `repeat` is `"never"`.
   */
  readonly wayOut?: boolean;
  /** Whether the tool changes anything. Inferred if you leave it out. */
  readonly changes?: boolean;
  /** How many repeats of one call without progress make a finding for this tool. Replaces the detectors' own thresholds. */
  readonly threshold?: number;
  /** The arguments to compare when deciding whether two calls are the same, or a function that returns what to compare. */
  readonly identity?: DeclaredIdentity;
  /**
   * Whose world the tool's calls are about, for a fleet: the same for all workers (`"shared"`), each worker's `"own"`, or nothing that a
   * fleet should learn of (`"never"`). A function decides by arguments; if it returns undefined, the default applies.
   * @default "shared" if the arguments name only what is the same for all workers, such as an address of another host, and a failure comes
   * from there; otherwise "own"
   */
  readonly fleet?: FleetScope | ((args: unknown) => FleetScope | undefined);
}

/** Rules by tool name. */
export type ToolRules = Readonly<Record<string, ToolRule>>;

const NONE: ToolRule = Object.freeze({});

/**
 * Creates a safe lookup of rules by a tool's name or label: names are foreign, and `constructor` is no rule.
 *
 * A rule's functions are the host's code. If one throws, the fault is reported, and the rule is used without it.
 */
export function createToolRules(
  rules: ToolRules,
  onFault: (fault: unknown) => void,
  tellMisuse: TellMisuse = untold,
): (tool: string) => ToolRule {
  const byTool = new Map<string, ToolRule>();
  for (const tool of Object.keys(rules)) {
    const safe = withSafeFunctions(tool, rules[tool]!, onFault, tellMisuse);
    byTool.set(tool, safe);
    byTool.set(toolLabel(tool), safe);
  }
  return byTool.size === 0 ? () => NONE : (tool) => byTool.get(tool) ?? NONE;
}

function withSafeFunctions(
  tool: string,
  rule: ToolRule,
  onFault: (fault: unknown) => void,
  tellMisuse: TellMisuse,
): ToolRule {
  const { ignore, identity, fleet } = rule;
  const ask = <Value>(name: string, action: () => Value): Value | undefined => {
    const value = safely(action, onFault);
    if (!(value instanceof Promise)) return value;
    tellMisuse(`rules ${name}`, `rules["${toolLabel(tool)}"].${name}: an answer at once is required, got a promise`);
    return undefined;
  };
  return {
    ...rule,
    ...(typeof ignore === "function" && { ignore: (args) => ask("ignore", () => ignore(args)) ?? false }),
    ...(typeof identity === "function" && { identity: (args) => ask("identity", () => identity(args)) }),
    ...(typeof fleet === "function" && { fleet: (args) => ask("fleet", () => fleet(args)) }),
  };
}

/** Throws a `DoomloopError` for a value that a rule cannot have. */
export function checkRule(tool: string, { threshold, poll, repeat }: ToolRule): void {
  const refuse = (field: string, required: string, got: unknown): never => {
    throw new DoomloopError("invalid-option", `rules["${tool}"].${field}: ${required} is required, got ${String(got)}`);
  };
  if (threshold !== undefined && !(Number.isInteger(threshold) && threshold >= 2))
    refuse("threshold", "an integer of at least 2", threshold);
  if (typeof poll === "object" && !(poll.patienceMs >= 0))
    refuse("poll.patienceMs", "a number of at least 0", poll.patienceMs);
  if (repeat !== undefined && repeat !== "watched" && repeat !== "never")
    refuse("repeat", '"watched" or "never"', repeat);
}
