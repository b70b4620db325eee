import type { Rung } from "./answer.ts";
import type { Decision, OwnDecision } from "./decision.ts";
import { requireInteger } from "./doomloop-error.ts";
import type { DetectorKind } from "./finding.ts";
import type { MessageTemplates } from "./messages/wording.ts";
import { checkRungs, type Escalation, escalationOf, type Levels, type PresetName, presetOf } from "./policy/levels.ts";
import type { ToolRule, ToolRules } from "./policy/tool-rules.ts";
import type { RepeatedTextOptions } from "./reading/word-stream.ts";
import type { Snapshot } from "./snapshot.ts";

/** What the host says about one kind of loop. */
export interface DetectorOption {
  /** How often it must be seen before the agent is told. Replaces the evidence that the level `told` asks for. */
  readonly threshold?: number;
}

/** Kinds of loops; `false` switches one off. */
export type DetectorOptions = {
  readonly [Kind in Exclude<DetectorKind, "repeated-text">]?: DetectorOption | false;
} & {
  readonly "repeated-text"?: RepeatedTextOptions | false;
};

/** The options of a guard, as far as the core knows them. All of them are optional. */
export interface CoreOptions {
  /**
   * A set of levels. All other options override it.
   * @default "balanced"
   */
  readonly preset?: PresetName | undefined;
  /**
   * When the agent is told, when its calls are refused and when the run is ended: counts of plain repeats, the same call with the same
   * telling result. What tells less is worth less, so it takes longer.
   * @default { told: 3, refused: 10, ended: 20 }
   */
  readonly levels?: Partial<Levels> | undefined;
  /** Kinds of loops, by name; `false` switches one off. Add your own detectors here, under your own names. */
  readonly detectors?: DetectorOptions | undefined;
  /**
   * What may be done about a loop, mildest first. What you leave out is not done.
   * @default ["nudge", "block", "stop"]
   */
  readonly ladder?: readonly Rung[] | undefined;
  /**
   * How long an agent may wait for something that does not change, with pauses. 0: waiting is no excuse.
   * @default 1_800_000
   */
  readonly patienceMs?: number | undefined;
  /**
   * Your own messages, or messages in another language, by action: `messages: { nudge: (facts) => "..." }`. For actions that you leave out,
   * doomloop's messages are used.
   * @default undefined
   */
  readonly messages?: MessageTemplates | undefined;
  /** What the host knows about its rules, by name. */
  readonly rules?: ToolRules | undefined;
  /**
   * A person is watching: instead of ending the run, the guard refuses calls, with a question to that person in `explanation`.
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
  /** A saved run to continue. If it cannot be read, that is reported as a fault, and the run starts with an empty memory. */
  readonly snapshot?: Snapshot | undefined;
}

/** The options of a guard that may ask a second opinion. Only hosts with one set them. */
export interface AskingOptions extends CoreOptions {
  /**
   * How many questions may be asked in a run. A decision then carries a `question` now and then, which another model may answer with an
   * `opinion` event.
   * @default 0
   */
  readonly questions?: number | undefined;
}

/** What the host wants to be told of. */
export interface EvidenceOptions {
  readonly escalation: Escalation;
  /** How many questions may be asked in a run. */
  readonly questions: number;
  readonly isOn: (kind: DetectorKind) => boolean;
  /** Whether the host says how often a kind must be seen, and how often that is for a tool with this rule. */
  readonly hasThreshold: (kind: DetectorKind) => boolean;
  readonly thresholdOf: (kind: DetectorKind, rule: ToolRule) => number | undefined;
}

/** The options of the preset with the caller's over them. */
export interface ResolvedOptions {
  readonly evidence: EvidenceOptions;
  /** What may be done; and what the host asked for, whether or not a person is watching. */
  readonly ladder: readonly Rung[];
  readonly askedLadder: readonly Rung[];
  /** What a stream of words is watched for. */
  readonly streams: RepeatedTextOptions;
  readonly patienceMs: number;
  readonly rules: ToolRules;
  readonly isAttended: boolean;
  readonly isShadow: boolean;
  readonly messages: MessageTemplates | undefined;
}

/** How long an agent may wait with pauses, where the host does not say. */
const PATIENCE_MS = 1_800_000;

let defaults: ResolvedOptions | undefined;

/** Resolves options whose names and kinds were checked; throws for values that make no sense. Guards without options share one set. */
export function resolveOptions(options: Omit<AskingOptions, "snapshot">): ResolvedOptions {
  if (Object.keys(options).length > 0) return resolve(options);
  defaults ??= resolve(options);
  return defaults;
}

function resolve(options: AskingOptions): ResolvedOptions {
  const preset = presetOf(options.preset ?? "balanced");
  const { detectors = {}, rules = {}, attended = false, patienceMs = PATIENCE_MS } = options;
  const askedLadder = options.ladder ?? preset.ladder;
  checkRungs(askedLadder);
  const ladder = attended ? attendedLadder(askedLadder) : askedLadder;
  const streams = detectors["repeated-text"] || {};
  checkStreams(streams);
  return {
    evidence: evidenceOptions(options, ladder, { ...preset.levels, ...options.levels }),
    ladder,
    askedLadder,
    streams,
    patienceMs,
    rules,
    isAttended: attended,
    isShadow: preset.isShadow,
    messages: options.messages,
  };
}

function evidenceOptions(
  { detectors = {}, rules = {}, questions = 0 }: AskingOptions,
  ladder: readonly Rung[],
  levels: Levels,
): EvidenceOptions {
  const own = (kind: DetectorKind): number | undefined =>
    kind === "repeated-text" ? undefined : (detectors[kind] as DetectorOption | undefined)?.threshold;
  for (const [kind, option] of Object.entries(detectors)) {
    const threshold = (option as DetectorOption | undefined)?.threshold;
    if (threshold !== undefined) requireInteger(`${kind}: threshold`, threshold, 2);
  }
  const hasRules = Object.values(rules).some(({ threshold }) => threshold !== undefined);
  return {
    escalation: escalationOf(ladder, levels),
    questions,
    isOn: (kind) => detectors[kind] !== false,
    hasThreshold: (kind) => own(kind) !== undefined || (kind === "repeated-call" && hasRules),
    thresholdOf: (kind, { threshold }) => (kind === "repeated-call" ? threshold : undefined) ?? own(kind),
  };
}

/** If a person can be asked, no run is ended without asking. */
function attendedLadder(ladder: readonly Rung[]): readonly Rung[] {
  const kept = ladder.filter((rung) => rung === "nudge" || rung === "block");
  return kept.includes("block") || ladder.length === kept.length ? kept : [...kept, "block"];
}

function checkStreams({ repetitions = 5, minimumLength = 300 }: RepeatedTextOptions): void {
  requireInteger("repeated-text: repetitions", repetitions, 2);
  requireInteger("repeated-text: minimumLength", minimumLength, 1);
}
