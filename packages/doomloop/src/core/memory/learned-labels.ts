/**
 * Which parts of a tool's answers vary although nothing happened: learned within a run, tool by tool.
 *
 * A part is known by its label's hash. It is volatile once it has been the only difference between answers to equal
 * calls a few times: a clock, a counter, a request id. A quantity that matters varies the same way, so what rests on a
 * learned mask counts for less than what rests on equality.
 */
export interface LearnedLabels {
  /** Answers to equal calls differed in these labels only. */
  note(tool: string, labels: readonly number[]): void;
  /** Whether all of these labels are known to be volatile for the tool. */
  areVolatile(tool: string, labels: readonly number[]): boolean;
  save(): SavedLabels;
}

export type SavedLabels = (readonly [string, readonly (readonly [number, number])[]])[];

const NEEDED = 3;
const MAX_TOOLS = 8;
const MAX_LABELS = 8;
/** An answer that differs in more parts than this is another answer. */
const MAX_DIFFERENCES = 3;

/** Creates the memory of learned labels, empty or as it was saved. */
export function createLearnedLabels(saved?: SavedLabels): LearnedLabels {
  let tools: Map<string, Map<number, number>> | undefined;
  if (saved !== undefined) tools = new Map(saved.map(([tool, labels]) => [tool, new Map(labels)]));

  return {
    note(tool, labels) {
      if (labels.length === 0 || labels.length > MAX_DIFFERENCES) return;
      tools ??= new Map();
      let counts = tools.get(tool);
      if (counts === undefined) {
        if (tools.size >= MAX_TOOLS) return;
        counts = new Map();
        tools.set(tool, counts);
      }
      for (const label of labels) {
        const count = counts.get(label);
        if (count !== undefined || counts.size < MAX_LABELS) counts.set(label, Math.min((count ?? 0) + 1, NEEDED));
      }
    },
    areVolatile(tool, labels) {
      const counts = tools?.get(tool);
      return counts !== undefined && labels.every((label) => counts.get(label) === NEEDED);
    },
    save: () => [...(tools ?? [])].map(([tool, labels]) => [tool, [...labels]] as const),
  };
}
