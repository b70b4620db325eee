import { DoomloopError, isDoomloopError } from "./doomloop-error.ts";
import { safely, type TellMisuse } from "./faults.ts";
import type { FindingFacts, Reason } from "./finding.ts";
import { loopIdentity } from "./identity/digest.ts";
import type { RunState } from "./memory/run-state.ts";
import type { Step } from "./memory/step.ts";
import type { RawStep } from "./run.ts";

/** A step as your own detector sees it: a call with its outcome, and how the guard judges it. */
export interface CustomStep {
  /** Index of the call in the run, from 0. */
  readonly index: number;
  /** Index of the model's answer that it belongs to. */
  readonly round: number;
  readonly at: number | undefined;
  /** The tool's name; a hash if it does not look like an identifier. */
  readonly tool: string;
  /** The arguments, as the event had them. Undefined if the guard was restored since the call. Foreign text. */
  readonly args: unknown;
  /** The outcome, as the event had it; undefined in a run without results. Foreign text. */
  readonly output: unknown;
  readonly isError: boolean;
  /** The same for equal calls. */
  readonly call: string;
  /** The same for equal outcomes. */
  readonly outcome: string;
  /** How often the call was made with this outcome, without progress in between; 1 if it is not a repeat. */
  readonly repeats: number;
  /** Why a repeat does not count: the user said something, something changed, and so on. Undefined if it counts. */
  readonly reason: Reason | undefined;
}

/** What your own detector has found. */
export interface CustomSight {
  /** How often the thing that you count has happened. */
  readonly count: number;
  /** What tells this loop from others that you report, such as `"cart 17"`. It is hashed. */
  readonly about?: string;
  /**
   * The calls that show it, by index, oldest first; at most 32. These calls are refused if the loop goes on.
   * @default the latest one
   */
  readonly steps?: readonly number[];
  /**
   * How certain you are that this is a loop, above 0 and up to 1.
   * @default 0.8
   */
  readonly confidence?: number;
  /**
   * Only a loop looks like this. Then calls are refused and the run is ended as soon as for plain repeats. Otherwise it takes about three
   * times as many.
   * @default false
   */
  readonly isClear?: boolean;
}

/** A way of going in circles that only you know about. */
export interface CustomDetector<Memory = unknown> {
  /** The detector's memory at the beginning of a run, and after each message from the user. Plain JSON. */
  readonly begin: () => Memory;
  /**
   * Inspects a step. `memory` is a copy that you change in place. It becomes part of snapshots, so keep counts and names in it, but no
   * arguments. As JSON, it may have up to 2,048 characters. The function must depend only on its parameters.
   */
  readonly inspect: (step: CustomStep, memory: Memory) => CustomSight | undefined;
  /** What happened, in one sentence for the agent: "You emptied the cart and filled it again 3 times." */
  readonly says: (sight: CustomSight) => string;
  /** Up to three things to do instead, the most useful first. */
  readonly advises: readonly string[];
}

/** What a detector of the host reports. */
export interface CustomFinding extends FindingFacts {
  readonly kind: "custom";
  readonly evidence: {
    /** The name that the host gave its detector. */
    readonly detector: string;
    /** Only a loop looks like this. */
    readonly isClear: boolean;
    /** The host's words for it. */
    readonly says: string;
    readonly advises: readonly string[];
  };
}

const DETECTOR_MARKER = Symbol.for("doomloop.detector");
const KNOWN: readonly string[] = ["begin", "inspect", "says", "advises"] satisfies (keyof CustomDetector)[];
const DETECTOR_NAME = /^[a-z][a-z0-9-]{0,39}$/;
const MAX_MEMORY = 2048;
const MAX_SHOWN_STEPS = 32;
const MAX_SENTENCE = 300;
const MAX_ADVICE = 3;

/** Makes your own detector, for `createGuard({ detectors: { name: defineDetector({ ... }) } })`. */
export function defineDetector<Memory>(detector: CustomDetector<Memory>): CustomDetector {
  const { begin, inspect, says, advises } = detector;
  const unknown = Object.keys(detector).find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) refuse(`defineDetector: unknown field ${unknown}; the fields are ${KNOWN.join(", ")}`);
  for (const [name, value] of Object.entries({ begin, inspect, says })) {
    if (typeof value !== "function") refuse(`defineDetector: ${name} must be a function, got ${typeof value}`);
  }
  if (!Array.isArray(advises) || advises.some((line) => typeof line !== "string"))
    refuse("defineDetector: advises must be a list of strings");
  const memory = JSON.stringify(begin()) as string | undefined;
  if (memory === undefined || memory.length > MAX_MEMORY)
    refuse(`defineDetector: begin must return JSON of at most ${MAX_MEMORY} characters`);
  return Object.freeze({ ...detector, [DETECTOR_MARKER]: true }) as unknown as CustomDetector;
}

/** Whether an option is a detector that the host made. */
export function isCustomDetector(value: unknown): value is CustomDetector {
  return (
    typeof value === "object" && value !== null && (value as { [DETECTOR_MARKER]?: unknown })[DETECTOR_MARKER] === true
  );
}

/** Throws if a detector of the host cannot have this name. */
export function checkDetectorName(name: string): void {
  if (!DETECTOR_NAME.test(name)) refuse(`detectors.${name}: a name of small letters, digits and hyphens is required`);
}

/** Looks at a step for a detector of the host. */
export type InspectStep = (step: Step, raw: RawStep | undefined, run: RunState) => CustomFinding | undefined;

/** Makes a detector of the host one like ours. Its memory is bounded, and if it fails, it finds nothing. */
export function adaptDetector(
  name: string,
  custom: CustomDetector,
  onFault: (fault: unknown) => void,
  tellMisuse: TellMisuse,
): InspectStep {
  const key = `custom-${name}`;
  return (step, raw, run) => {
    // The message names the detector. What it threw is foreign, so it is only the cause.
    const blame = (cause: unknown): void =>
      onFault(isDoomloopError(cause) ? cause : new DoomloopError("misuse", `detectors.${name}: it threw`, { cause }));
    return safely(() => {
      const kept = run.memories[key];
      const memory: unknown = typeof kept === "string" ? JSON.parse(kept) : custom.begin();
      const sight = custom.inspect(viewOf(step, raw), memory);
      const written = JSON.stringify(memory);
      if (written.length <= MAX_MEMORY) run.memories[key] = written;
      else {
        delete run.memories[key];
        tellMisuse(key, `detectors.${name}: its memory is longer than ${MAX_MEMORY} characters, so it starts over`);
      }
      return sight && findingOf(name, custom, sight, step);
    }, blame);
  };
}

function viewOf(step: Step, raw: RawStep | undefined): CustomStep {
  return {
    index: step.index,
    round: step.round,
    at: step.at,
    tool: step.tool,
    args: raw?.args,
    output: raw?.output,
    isError: step.failure !== undefined,
    call: step.call,
    outcome: step.value,
    repeats: step.repeats,
    reason: step.reason,
  };
}

function findingOf(name: string, custom: CustomDetector, sight: CustomSight, step: Step): CustomFinding {
  const { count, about = "", steps = [step.index], confidence = 0.8, isClear = false } = sight;
  if (!Number.isInteger(count) || count < 1)
    refuse(`detectors.${name}: a count of at least 1 is required, got ${count}`);
  const known = [...new Set(steps)].filter((index) => Number.isInteger(index) && index >= 0 && index <= step.index);
  return {
    kind: "custom",
    loop: loopIdentity("custom", name, String(about)),
    steps: known.sort((one, other) => one - other).slice(-MAX_SHOWN_STEPS),
    count,
    confidence: confidence > 0 && confidence <= 1 ? confidence : 0.8,
    weight: count,
    tools: [step.tool],
    evidence: {
      detector: name,
      isClear: isClear === true,
      says: sentence(custom.says(sight)),
      advises: custom.advises.slice(0, MAX_ADVICE).map(sentence),
    },
  };
}

function sentence(text: unknown): string {
  if (typeof text !== "string" || text.trim() === "")
    refuse(`defineDetector: says must return a string, got ${typeof text}`);
  return text.slice(0, MAX_SENTENCE);
}

function refuse(message: string): never {
  throw new DoomloopError("invalid-option", message);
}
