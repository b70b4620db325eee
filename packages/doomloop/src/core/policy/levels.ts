import type { Rung } from "../answer.ts";
import { DoomloopError, requireInteger } from "../doomloop-error.ts";

/** How much evidence leads to what, in plain repeats: the same call with the same telling result, as often as this. */
export interface Levels {
  /** The agent is told. */
  readonly told: number;
  /** Its calls are refused. */
  readonly refused: number;
  /** The run is ended. */
  readonly ended: number;
}

/** What can be done in a run, and when. */
export interface Escalation {
  /** A level that no rung answers is never reached. */
  readonly levels: Levels;
  readonly hasWords: boolean;
  readonly hasBlock: boolean;
  readonly restarts: number;
  readonly hasStop: boolean;
}

const RUNGS: readonly Rung[] = ["nudge", "block", "restart", "stop"];

/** What a list of rungs and the levels come to. Throws for levels that make no sense. */
export function escalationOf(rungs: readonly Rung[], levels: Levels): Escalation {
  checkLevels(levels);
  const hasBlock = rungs.includes("block");
  const hasStop = rungs.includes("stop");
  const restarts = rungs.filter((rung) => rung === "restart").length;
  return {
    levels: {
      told: levels.told,
      refused: hasBlock ? levels.refused : Infinity,
      ended: hasStop || restarts > 0 ? levels.ended : Infinity,
    },
    hasWords: rungs.includes("nudge"),
    hasBlock,
    restarts,
    hasStop,
  };
}

/** Throws for an invalid list of rungs. */
export function checkRungs(rungs: readonly Rung[]): void {
  if (!Array.isArray(rungs) || rungs.length === 0) refuse("ladder: at least one rung is required, got none");
  let highest = 0;
  for (const rung of rungs) {
    const height = RUNGS.indexOf(rung);
    if (height < 0) refuse(`ladder: one of ${RUNGS.join(", ")} is required, got ${String(rung)}`);
    if (height < highest) refuse(`ladder: rising rungs are required, got ${rung} after ${RUNGS[highest]}`);
    highest = height;
  }
}

function checkLevels({ told, refused, ended }: Levels): void {
  requireInteger("levels.told", told, 2);
  requireInteger("levels.refused", refused, told + 1);
  requireInteger("levels.ended", ended, refused + 1);
}

function refuse(message: string): never {
  throw new DoomloopError("invalid-option", message);
}

/** A set of levels, and what is done at them. */
export interface Preset {
  readonly levels: Levels;
  readonly ladder: readonly Rung[];
  /** The guard sees and reports, and never acts. */
  readonly isShadow: boolean;
}

const BALANCED: Preset = {
  levels: { told: 3, refused: 10, ended: 20 },
  ladder: ["nudge", "block", "stop"],
  isShadow: false,
};

const PRESETS = {
  /** Tells first, stops last. */
  balanced: BALANCED,
  /** Later: for hosts where a false alarm is expensive. */
  conservative: { ...BALANCED, levels: { told: 4, refused: 16, ended: 32 } },
  /** Earlier: for unattended runs where tokens are expensive. */
  aggressive: { ...BALANCED, levels: { told: 3, refused: 6, ended: 12 } },
  /** Sees what `balanced` sees, and only reports it: for a first week in production. */
  shadow: { ...BALANCED, isShadow: true },
} as const satisfies Record<string, Preset>;

/** The names of the presets. */
export type PresetName = keyof typeof PRESETS;

/** The preset of this name. Throws for an unknown name. */
export function presetOf(name: string): Preset {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
  throw new DoomloopError(
    "invalid-option",
    `preset: one of ${Object.keys(PRESETS).join(", ")} is required, got ${name}`,
  );
}
