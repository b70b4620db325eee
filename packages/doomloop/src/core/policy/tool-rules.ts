import { DoomloopError } from "../doomloop-error.ts";
import { toolLabel } from "../identity/tool-label.ts";
import { safely } from "../safely.ts";
import type { ToolRule, ToolRules } from "../tool-rule.ts";

const NONE: ToolRule = Object.freeze({});

/**
 * Makes a safe lookup of rules by a tool's name or label: names are foreign, and `constructor` is no rule.
 *
 * A rule's functions are the host's: one that throws is reported, and counts as if it were not there.
 */
export function createToolRules(rules: ToolRules, onFault: (fault: unknown) => void): (tool: string) => ToolRule {
  const byTool = new Map<string, ToolRule>();
  for (const tool of Object.keys(rules)) {
    const rule = rules[tool]!;
    checkRule(tool, rule);
    const safe = withSafeFunctions(rule, onFault);
    byTool.set(tool, safe);
    byTool.set(toolLabel(tool), safe);
  }
  return byTool.size === 0 ? () => NONE : (tool) => byTool.get(tool) ?? NONE;
}

function withSafeFunctions(rule: ToolRule, onFault: (fault: unknown) => void): ToolRule {
  const { ignore, identity } = rule;
  return {
    ...rule,
    ...(typeof ignore === "function" && { ignore: (args) => safely(() => ignore(args), onFault) ?? false }),
    ...(typeof identity === "function" && { identity: (args) => safely(() => identity(args), onFault) }),
  };
}

function checkRule(tool: string, rule: ToolRule): void {
  const refuse = (field: string, required: string, got: unknown): never => {
    throw new DoomloopError("invalid-option", `tools["${tool}"]${field}: ${required} is required, got ${String(got)}`);
  };
  if (typeof rule !== "object" || rule === null) refuse("", "a rule", rule);
  const { threshold, poll, repeat, identity, ignore, changes } = rule;
  if (threshold !== undefined && !(Number.isInteger(threshold) && threshold >= 2)) {
    refuse(".threshold", "an integer of at least 2", threshold);
  }
  if (typeof poll === "object" && poll !== null) {
    if (!(poll.patienceMs >= 0)) refuse(".poll.patienceMs", "a number of at least 0", poll.patienceMs);
  } else if (poll !== undefined && typeof poll !== "boolean") refuse(".poll", "true, false or { patienceMs }", poll);
  if (repeat !== undefined && repeat !== "watched" && repeat !== "never")
    refuse(".repeat", '"watched" or "never"', repeat);
  if (!isIdentity(identity)) refuse(".identity", "a list of argument names or a function", identity);
  if (ignore !== undefined && typeof ignore !== "boolean" && typeof ignore !== "function") {
    refuse(".ignore", "true, false or a function", ignore);
  }
  if (changes !== undefined && typeof changes !== "boolean") refuse(".changes", "true or false", changes);
}

function isIdentity(identity: unknown): boolean {
  if (identity === undefined || typeof identity === "function") return true;
  return Array.isArray(identity) && identity.every((name) => typeof name === "string");
}
