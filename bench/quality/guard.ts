import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Decision, Guard, GuardOptions, PresetName } from "../../packages/doomloop/src/index.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";

/** What a bench uses of a guard. */
type MeasuredGuard = Pick<Guard, "observe" | "stats">;
export type CreateGuard = (options?: GuardOptions) => MeasuredGuard;

/** Which guard to measure. */
export interface GuardChoice {
  /** A module that exports `createGuard`; our own source if there is none. */
  readonly guard?: string | undefined;
  readonly preset?: PresetName | undefined;
}

/** What a module given with `--guard` has to offer. */
interface ForeignGuard {
  observe(event: Parameters<Guard["observe"]>[0]): Pick<Decision, "action"> & Partial<Decision>;
  stats?: () => ReturnType<Guard["stats"]>;
}

/** Our own guard, from its source. */
const OWN_GUARD = resolve(import.meta.dirname, "../../packages/doomloop/src/index.ts");
/** A guard that names no finding still has said something. */
const UNNAMED = { kind: "unnamed", confidence: 1, tools: [] } as unknown as NonNullable<Decision["finding"]>;

/** Loads `createGuard` from a module, so that the same bench measures our guard, an older one, or somebody else's. */
export async function loadGuard({ guard: path = OWN_GUARD, preset }: GuardChoice = {}): Promise<CreateGuard> {
  const { createGuard } = (await import(pathToFileURL(resolve(path)).href)) as { createGuard?: unknown };
  if (typeof createGuard !== "function")
    throw new Error(`--guard: a function named createGuard is required from ${path}`);
  const create = createGuard as (options?: GuardOptions) => ForeignGuard;
  return (options) => asMeasured(create({ ...(preset === undefined ? {} : { preset }), ...options }));
}

function asMeasured(guard: ForeignGuard): MeasuredGuard {
  return {
    observe(event) {
      const decision = guard.observe(event);
      if (decision.action === "continue" || decision.finding !== undefined) return decision;
      return { ...decision, finding: UNNAMED };
    },
    stats: () => guard.stats?.() ?? ({ faults: 0 } as ReturnType<Guard["stats"]>),
  };
}

/** What a module given with `--detector` exports. It is not told how the run ended, nor what is expected of it. */
export type Detect = (
  run: Pick<TraceRun, "run" | "model" | "task" | "events">,
) => readonly number[] | Promise<readonly number[]>;

export async function loadDetector(path: string): Promise<Detect> {
  const { detect } = (await import(pathToFileURL(path).href)) as { detect?: unknown };
  if (typeof detect !== "function") throw new Error(`--detector: a function named detect is required from ${path}`);
  return detect as Detect;
}

/** A detector is named as its file is. */
export function detectorName(path: string): string {
  return basename(path).replace(/\.\w+$/, "");
}
