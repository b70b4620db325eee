import { checkOptions } from "./check-options.ts";
import { type CustomDetector, isCustomDetector } from "./custom-detector.ts";
import type { Decision, OwnDecision } from "./decision.ts";
import type { Detector } from "./detectors/detector.ts";
import {
  createDetectors,
  type DetectorFinding,
  type DetectorKind,
  type DetectorOptions,
  detectors,
} from "./detectors/index.ts";
import { DoomloopError } from "./doomloop-error.ts";
import type { FleetMember } from "./fleet-member.ts";
import type { MessageTemplates } from "./messages/wording.ts";
import type { LadderOptions } from "./policy/ladder.ts";
import { type PresetName, presetOf } from "./policy/presets.ts";
import { checkPace, checkRungs, type LadderPace, type Rung } from "./policy/rungs.ts";
import { type ProgressOptions, type ResolvedProgress, resolveProgress } from "./progress/progress-options.ts";
import type { Snapshot } from "./snapshot.ts";
import type { ToolRules } from "./tool-rule.ts";
import type { RepeatedTextOptions } from "./words/word-stream.ts";

/** The options of a guard. All of them are optional. */
export interface GuardOptions {
  /**
   * Sets thresholds and ladder. All other options override it.
   * @default "balanced"
   */
  readonly preset?: PresetName | undefined;
  /** Options for each detector; `false` turns one off. Add your own detectors here, under your own names. */
  readonly detectors?: DetectorOptions | undefined;
  /** What counts as progress. */
  readonly progress?: ProgressOptions | undefined;
  /**
   * What the guard does if a loop goes on, step by step (each step is a rung). The last one repeats.
   * @default ["nudge", "nudge", "block", "stop"]
   */
  readonly ladder?: readonly Rung[] | undefined;
  /**
   * Whether each loop has its own ladder, or all loops of the run share one.
   * @default "loop"
   */
  readonly ladderScope?: "loop" | "run" | undefined;
  /**
   * Whether progress lowers the rung again. False: a loop that returns continues at the rung it had reached.
   * @default true
   */
  readonly ladderDescends?: boolean | undefined;
  /**
   * When the rungs after the nudges are due, in rounds and time since the first nudge about a loop. Until then, nudges come at growing
   * intervals. `false`: every answer climbs one rung.
   * @default block after 7 rounds and 15 s, restart and stop after 17 rounds and 60 s
   */
  readonly ladderPace?: LadderPace | false | undefined;
  /**
   * After this many rounds since the first nudge, a loop that is not certain may also be blocked and stopped. For unattended runs in which
   * a stopped run costs less than the tokens. Undefined: never.
   * @default undefined
   */
  readonly endUncertainAfter?: number | undefined;
  /**
   * The count of a finding at which each rung starts, one number for each rung. Replaces the pace.
   * @default undefined
   */
  readonly ladderCounts?: readonly number[] | undefined;
  /**
   * Which loops may get more than a nudge: only certain ones, or any.
   * @default "certain"
   */
  readonly beyondNudge?: "certain" | "any" | undefined;
  /**
   * Detectors to ask first. If several see the same loop, the first one names it.
   * @default []
   */
  readonly priority?: readonly DetectorKind[] | undefined;
  /**
   * Your own messages, or messages in another language, by action: `messages: { nudge: (facts) => "..." }`. For actions that you leave out,
   * doomloop's messages are used.
   * @default undefined
   */
  readonly messages?: MessageTemplates | undefined;
  /** What the host knows about its tools, by name. */
  readonly tools?: ToolRules | undefined;
  /**
   * A person is watching: the ladder ends at `block`, with a question to that person in `explanation`.
   * @default false
   */
  readonly attended?: boolean | undefined;
  /**
   * Called with every decision other than `continue`, and in shadow mode with what would have been one. If it returns a decision, that one
   * is carried out instead.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that only logs returns void.
  readonly onDecision?: ((decision: Decision) => OwnDecision | undefined | void) | undefined;
  /**
   * Called once for a fault inside the guard, which then continues with an empty memory. Also called once for each mistake of the host that
   * would silently disable the guard (a `DoomloopError` with the code `misuse`), such as a result that is a promise.
   * @default a warning on standard error
   */
  readonly onFault?: ((fault: unknown) => unknown) | undefined;
  /** The worker's side of a fleet, from `doomloop/fleet`. */
  readonly fleet?: FleetMember | undefined;
  /** A saved run to continue. If it cannot be read, that is reported as a fault, and the run starts with an empty memory. */
  readonly snapshot?: Snapshot | undefined;
}

/** The options of the preset with the caller's over them. */
export interface ResolvedOptions {
  /** The detectors that are switched on. Their memory belongs to the run, so guards can share them. */
  readonly detectors: readonly Detector<DetectorFinding>[];
  /** The host's own detectors, by name. */
  readonly customDetectors: readonly (readonly [name: string, detector: CustomDetector])[];
  /** What a stream of words is watched for. */
  readonly streams: RepeatedTextOptions;
  readonly progress: ResolvedProgress;
  readonly ladder: LadderOptions;
  readonly tools: ToolRules;
  readonly isAttended: boolean;
  readonly isShadow: boolean;
  readonly messages: MessageTemplates | undefined;
}

let defaults: ResolvedOptions | undefined;

/** Resolves and checks options; throws for invalid ones. Guards without options share one set. */
export function resolveOptions(options: Omit<GuardOptions, "snapshot">): ResolvedOptions {
  checkOptions(options);
  if (Object.keys(options).length > 0) return resolve(options);
  defaults ??= resolve(options);
  return defaults;
}

function resolve(options: GuardOptions): ResolvedOptions {
  const preset = presetOf(options.preset ?? "balanced");
  const { ladder = preset.ladder, ladderScope = "loop", beyondNudge = "certain", tools = {} } = options;
  const { ladderPace = preset.pace, endUncertainAfter, attended = false } = options;
  checkRungs(ladder);
  checkPace(ladderPace);
  const customDetectors = Object.entries(options.detectors ?? {}).filter(isCustomEntry);
  const own = mergeDetectors(preset.detectors, options.detectors ?? {});
  return {
    detectors: createDetectors(own, checkKinds("priority", options.priority ?? [])),
    customDetectors,
    streams: own["repeated-text"] || {},
    progress: resolveProgress({ ...preset.progress, ...options.progress }),
    ladder: {
      rungs: attended ? attendedLadder(ladder) : ladder,
      scope: ladderScope,
      descends: options.ladderDescends ?? true,
      pace: ladderPace,
      endUncertainAfter,
      counts: attended ? options.ladderCounts?.slice(0, attendedLadder(ladder).length) : options.ladderCounts,
      beyondNudge,
    },
    tools,
    isAttended: attended,
    isShadow: preset.isShadow,
    messages: options.messages,
  };
}

/** If a person can be asked, no run is ended without asking. */
function attendedLadder(ladder: readonly Rung[]): readonly Rung[] {
  const kept = ladder.filter((rung) => rung === "nudge" || rung === "block");
  return kept.includes("block") || ladder.length === kept.length ? kept : [...kept, "block"];
}

function mergeDetectors(preset: DetectorOptions, own: DetectorOptions): DetectorOptions {
  const merged: Record<string, unknown> = { ...preset };
  for (const [kind, options] of Object.entries(own)) {
    if (isCustomDetector(options)) continue;
    const base = preset[kind];
    merged[kind] = options === false || !base ? options : { ...base, ...options };
  }
  return merged as DetectorOptions;
}

function isCustomEntry(entry: [string, unknown]): entry is [string, CustomDetector] {
  return isCustomDetector(entry[1]);
}

function checkKinds(where: string, kinds: readonly string[]): readonly DetectorKind[] {
  const unknown = kinds.find((kind) => !Object.hasOwn(detectors, kind));
  if (unknown === undefined) return kinds as readonly DetectorKind[];
  throw new DoomloopError(
    "invalid-option",
    `${where}: one of ${Object.keys(detectors).join(", ")} is required, got ${unknown}`,
  );
}
