import type { Rung } from "../answer.ts";
import { DoomloopError } from "../doomloop-error.ts";
import type { Levels } from "./levels.ts";

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
