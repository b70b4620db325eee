import type { GuardOptions } from "../../core/options.ts";
import type { PresetName } from "../../core/policy/presets.ts";
import type { ToolRule } from "../../core/tool-rule.ts";
import { spanInWords } from "../report/span-in-words.ts";
import type { Stretch } from "./stretches.ts";

/** One change of a configuration that may silence wrong alarms. */
export interface Change {
  /** What it is about: of the changes of one tool, one is proposed. */
  readonly subject: string;
  readonly words: string;
  /** The part of a configuration that makes it. */
  readonly patch: GuardOptions;
}

const DAY_MS = 86_400_000;
const DAY = spanInWords(DAY_MS);
const MAX_TOOLS = 4;
/** So many repeats are let through by their number. More of them are no slip of the threshold: the tool waits. */
const FEW = 5;
/** The shadow preset has none that is milder: it disturbs nobody. */
const MILDER: Readonly<Partial<Record<PresetName, PresetName>>> = { aggressive: "balanced", balanced: "conservative" };

/** The changes that are worth trying, the mildest first: what holds for one tool, what holds for all of them, silence about a tool. */
export function changesFor(wrong: readonly Stretch[], { preset = "balanced" }: GuardOptions): readonly Change[] {
  const times = new Map<string, number>();
  for (const { tools, count } of wrong.flatMap(({ loops }) => loops)) {
    for (const tool of tools) times.set(tool, Math.max(count, times.get(tool) ?? 0));
  }
  const tools = [...times].slice(0, MAX_TOOLS);
  const forTools = (words: string, ruleOf: (count: number) => ToolRule | undefined): readonly Change[] =>
    tools.flatMap(([tool, count]) => {
      const rule = ruleOf(count);
      return rule ? [{ subject: `tool ${tool}`, words: `${tool} ${words}`, patch: { tools: { [tool]: rule } } }] : [];
    });
  const milder = MILDER[preset];
  return [
    ...forTools("may be called more often", (count) => (count > FEW ? undefined : { threshold: count + 1 })),
    ...forTools("waits for something: its time is measured, not its calls", () => ({ poll: true })),
    ...forTools(`waits for up to ${DAY}`, () => ({ poll: { patienceMs: DAY_MS } })),
    { subject: "patience", words: `every tool may wait for ${DAY}`, patch: { progress: { patienceMs: DAY_MS } } },
    ...(milder ? [{ subject: "preset", words: "the guard speaks later", patch: { preset: milder } }] : []),
    ...forTools("is not watched", () => ({ ignore: true })),
  ];
}
