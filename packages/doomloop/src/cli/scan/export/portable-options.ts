import type { GuardOptions } from "../../../core/options.ts";
import type { ToolRules } from "../../../core/tool-rule.ts";
import type { Pseudonyms } from "../../../redact/pseudonyms.ts";
import { redactText } from "../../../redact/redact-text.ts";

/** A guard's options as a trace can carry them: plain data, with tools and arguments by the names that they have there. Functions stay behind. */
export function portableOptions(options: GuardOptions, names: Pseudonyms): GuardOptions {
  const { onDecision: _, onFault: __, fleet: ___, snapshot: ____, tools, ...plain } = options;
  const carried = tools === undefined ? plain : { ...plain, tools: portableRules(tools, names) };
  return JSON.parse(JSON.stringify(carried)) as GuardOptions;
}

function portableRules(rules: ToolRules, names: Pseudonyms): ToolRules {
  return Object.fromEntries(
    Object.entries(rules).map(([tool, { identity, ...rule }]) => {
      const own = Array.isArray(identity) ? { identity: identity.map((name: string) => redactText(name, names)) } : {};
      return [redactText(tool, names), { ...rule, ...own }];
    }),
  );
}
