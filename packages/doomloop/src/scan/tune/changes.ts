import { readSettings, textOfSettings, writeSettings } from "../../agents/settings/settings-file.ts";
import type { PresetName } from "../../core/policy/levels.ts";
import type { ToolRule } from "../../core/policy/tool-rules.ts";
import { isShell } from "../../core/hints/calls.ts";

import type { GuardConfig } from "../../counting/configured-guard.ts";
import { UsageError } from "../../system/usage-error.ts";
import type { LoopSummary } from "../report/report.ts";
import { spanInWords } from "../report/words.ts";

/** A configuration change that may avoid wrong loops. */
export interface Change {
  /** What the change is about. Only one change for each subject is proposed. */
  readonly subject: string;
  readonly words: string;
  /** The options that make the change. */
  readonly patch: GuardConfig;
}

const DAY_MS = 86_400_000;
const DAY = spanInWords(DAY_MS);
const MAX_TOOLS = 4;
/**
 * Up to this many repeats, a higher threshold is proposed. With more repeats, a tool is probably polling, and a shell would
 * go unwatched with all its other commands.
 */
const FEW = 5;
/** The shadow preset needs no milder one: it never interrupts. */
const MILDER: Readonly<Partial<Record<PresetName, PresetName>>> = { aggressive: "balanced", balanced: "conservative" };

/** The changes worth trying, mildest first: for one tool, for all tools, and ignoring a tool. */
export function changesFor(wrong: readonly LoopSummary[], { preset = "balanced" }: GuardConfig): readonly Change[] {
  const times = new Map<string, number>();
  for (const { tools, count } of wrong) {
    for (const tool of tools) times.set(tool, Math.max(count, times.get(tool) ?? 0));
  }
  const tools = [...times].slice(0, MAX_TOOLS);
  const forTools = (words: string, ruleOf: (count: number, tool: string) => ToolRule | undefined): readonly Change[] =>
    tools.flatMap(([tool, count]) => {
      const rule = ruleOf(count, tool);
      const who = isShell(tool) ? `${tool}, with any command,` : tool;
      return rule ? [{ subject: `tool ${tool}`, words: `${who} ${words}`, patch: { rules: { [tool]: rule } } }] : [];
    });
  // A shell runs every command. As a tool that polls or is not watched, or with a high threshold, it would hide most loops.
  const unlessShell = (rule: ToolRule) => (_: number, tool: string) => (isShell(tool) ? undefined : rule);
  const moreOften = (count: number): ToolRule | undefined => (count > FEW ? undefined : { threshold: count + 1 });
  const milder = MILDER[preset];
  return [
    ...forTools("may be called more often", moreOften),
    ...forTools("is polling: its time is measured, not its calls", unlessShell({ poll: true })),
    ...forTools(`waits for up to ${DAY}`, unlessShell({ poll: { patienceMs: DAY_MS } })),
    { subject: "patience", words: `every tool may wait for ${DAY}`, patch: { patienceMs: DAY_MS } },
    ...(milder ? [{ subject: "preset", words: "the guard warns later", patch: { preset: milder } }] : []),
    ...forTools("is not watched", unlessShell({ ignore: true })),
  ];
}

/**
 * Merges options into others. Objects are merged, everything else is replaced. A tool may have any name, even
 * `__proto__`.
 */
export function mergeOptions<Options extends object>(options: Options, over: object): Options {
  const before = new Map(Object.entries(options));
  const merged = Object.entries(over).map(([key, value]) => {
    const own = before.get(key);
    return [key, isFields(own) && isFields(value) ? mergeOptions(own, value) : value];
  });
  return Object.fromEntries([...before, ...merged]) as Options;
}

function isFields(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A configuration belongs to a project, so everyone who works on it may read it. */
const NEW_MODE = 0o644;

/**
 * Writes a change into a configuration file, or into a new one, and keeps everything else. Throws a `UsageError` if the
 * configuration is code.
 */
export function writeChange(path: string, patch: object): void {
  if (/\.ts$/i.test(path)) throw new UsageError(`${path} is code: add ${JSON.stringify(patch)} to it yourself`);
  const file = readSettings(path);
  const text = textOfSettings(file) || "{}";
  const indent = /\n([ \t]{1,8})\S/.exec(text)?.[1] ?? "  ";
  const merged = mergeOptions(JSON.parse(text) as object, patch);
  const mode = file.bytes === undefined ? NEW_MODE : file.mode;
  writeSettings({ ...file, mode }, Buffer.from(`${JSON.stringify(merged, undefined, indent)}\n`));
}
