import { detectorOptions, PROGRESS_OPTIONS, TOOL_OPTIONS } from "../../core/check-options.ts";
import { type DetectorKind, detectors as detectorsByKind } from "../../core/detectors/index.ts";
import type { GuardOptions } from "../../core/options.ts";
import type { ToolRule } from "../../core/tool-rule.ts";
import { FILE_OPTIONS } from "../config/check-config.ts";
import type { Pseudonyms } from "../redact/pseudonyms.ts";
import { redactText } from "../redact/redact-text.ts";

/**
 * A guard's options as a trace can carry them: known ones, plain data, with tools and arguments by the names that they have there. Functions stay behind,
 * and so does whatever else a module of options holds.
 */
export function portableOptions(options: GuardOptions, names: Pseudonyms): GuardOptions {
  const { detectors, progress, tools, ...plain } = known(options, FILE_OPTIONS) as GuardOptions;
  const carried = {
    ...plain,
    ...(progress !== undefined && { progress: known(progress, Object.keys(PROGRESS_OPTIONS)) }),
    ...(detectors !== undefined && {
      detectors: mapped(detectors, (kind, own: object | false) =>
        Object.hasOwn(detectorsByKind, kind)
          ? [kind, own && known(own, detectorOptions(kind as DetectorKind))]
          : undefined,
      ),
    }),
    ...(tools !== undefined && {
      tools: mapped(tools, (tool, rule: ToolRule) => [redactText(tool, names), portableRule(rule, names)]),
    }),
  };
  return JSON.parse(JSON.stringify(carried)) as GuardOptions;
}

function portableRule(rule: ToolRule, names: Pseudonyms): object {
  const { identity, poll, ...own } = known(rule, Object.keys(TOOL_OPTIONS)) as ToolRule;
  return {
    ...own,
    ...(Array.isArray(identity) && { identity: identity.map((name: string) => redactText(name, names)) }),
    ...(poll !== undefined && { poll: typeof poll === "object" ? known(poll, ["patienceMs"]) : poll }),
  };
}

function known(fields: object, keys: readonly string[]): object {
  return mapped(fields, (key, value) => (keys.includes(key) ? [key, value] : undefined));
}

function mapped<Value>(
  fields: Readonly<Record<string, Value>> | object,
  change: (key: string, value: Value) => readonly [string, unknown] | undefined,
): object {
  const entries = Object.entries(fields as Record<string, Value>).map(([key, value]) => change(key, value));
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
}
