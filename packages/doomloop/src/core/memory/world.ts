import { pushLatest, setRecent } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import type { Act } from "../reading.ts";
import type { Step } from "../step.ts";
import { MAX_EDITS, MAX_MEASURES, MAX_VALUES, PAGE_SHOWN_LENGTH, SHORT_FAILURE } from "./limits.ts";

/** When the world last changed, as far as the run tells. Steps with no change between them can be repeats of each other. */
export interface World {
  lastChange: number;
  /** When another agent was sent to work, which may have changed something. */
  lastDelegation: number;
  /** Edits that were made; one and its reverse share their identity. */
  readonly edits: Map<Digest, true>;
  /** The host's measures, by name. */
  readonly measures: Map<string, Measure>;
  /** The latest change that a measure showed. Other measures do not take it back: each sees its own part of the world. */
  lastMeasured: number;
  /** The host has more measures than are kept, so that nobody can know that nothing changed. */
  hasMoreMeasures: boolean;
}

interface Measure {
  /** Values seen, the latest last. */
  readonly values: Digest[];
  /** When the world had last changed as the latest value was measured. */
  lastChange: number;
}

export function createWorld(): World {
  return {
    lastChange: -1,
    lastDelegation: -1,
    edits: new Map(),
    measures: new Map(),
    lastMeasured: -1,
    hasMoreMeasures: false,
  };
}

/**
 * Notes a step that had not succeeded before and may have changed the world. The outcomes of other calls, up to the call `judged` last,
 * came before the change.
 */
export function noteChange(world: World, step: Step, judged: number): void {
  if (step.isSynthetic) return;
  const at = judged > step.index ? judged + 0.5 : step.index;
  const { edit, reading } = step.facts;
  if (reading.act === "asks") {
    if (step.failure === undefined) world.lastDelegation = Math.max(world.lastDelegation, at);
  } else if (mayHaveChanged(step) && (edit === undefined || isNewEdit(world, edit))) {
    world.lastChange = Math.max(world.lastChange, at);
  }
}

/**
 * Whether a step after the one of this index changed the world. For a delegation, other delegations are no change: sending an agent is no
 * reason to send it again.
 */
export function hasChangedSince(world: World, index: number, act?: Act): boolean {
  return world.lastChange > index || (act !== "asks" && world.lastDelegation > index);
}

/** The step that changed the world last. */
export function lastChangeOf(world: World): number {
  return Math.max(world.lastChange, world.lastDelegation);
}

/** Notes a measure that the host took after the step of this index. Returns whether the value is new, and so progress. */
export function measure(world: World, key: string, value: Digest, index: number): boolean {
  const known = world.measures.get(key) ?? { values: [], lastChange: lastChangeOf(world) };
  if (!world.measures.has(key) && world.measures.size === MAX_MEASURES) {
    world.hasMoreMeasures = true;
    return false;
  }
  world.measures.set(key, known);
  if (known.values.at(-1) === value) {
    if (!world.hasMoreMeasures) takeBack(world, Math.max(known.lastChange, world.lastMeasured));
    return false;
  }
  const isNew = known.values.length > 0 && !known.values.includes(value);
  if (known.values.includes(value)) known.values.splice(known.values.indexOf(value), 1);
  pushLatest(known.values, value, MAX_VALUES);
  if (isNew) world.lastChange = world.lastMeasured = index + 0.5;
  known.lastChange = lastChangeOf(world);
  return isNew;
}

/** Takes back all changes after this one: the world is as it was then. */
function takeBack(world: World, lastChange: number): void {
  world.lastChange = Math.min(world.lastChange, lastChange);
  world.lastDelegation = Math.min(world.lastDelegation, lastChange);
}

/**
 * Whether a step may have changed the world. A call that failed changed nothing, unless it does several things. A call that acts changed
 * something if it succeeded; on a page only if it put a text there, because a click may have missed.
 */
export function mayHaveChanged(step: Step): boolean {
  const { act, isPage, isCode, bringsText, isCompound } = step.facts.reading;
  const { failure, length } = step;
  if (isPage) return failure === undefined && bringsText && length <= PAGE_SHOWN_LENGTH;
  // A call that answers that there is nothing has looked for something.
  if (act === "steps" && step.isNothing && !step.isEmpty) return false;
  if (act === "steps" || act === "runs" || (act === "measures" && step.facts.isCommand))
    return failure === undefined && !isCode;
  if (act !== "writes") return false;
  return isCompound || failure === undefined || (failure.strength === "read" && length >= SHORT_FAILURE);
}

function isNewEdit(world: World, edit: Digest): boolean {
  const isNew = !world.edits.has(edit);
  setRecent(world.edits, edit, true, MAX_EDITS);
  return isNew;
}
