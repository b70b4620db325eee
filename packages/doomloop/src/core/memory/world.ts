import { pushLatest, setRecent } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Act } from "../reading.ts";
import type { Step } from "../step.ts";

/**
 * When the world last changed, as far as the run tells. Steps with no change between them can be repeats of each other.
 *
 * Whether a command changed anything is dear to find out and seldom asked. So it is noted as pending, and looked into when a repeat depends on
 * it, latest first.
 */
export interface World {
  lastChange: number;
  /** Another agent was sent to work, and may have changed something. */
  lastDelegation: number;
  pending: PendingChange[];
  /** Edits that were made; one and its reverse share their identity. */
  readonly edits: Map<Digest, true>;
  /** What the host measured, by name. */
  readonly measures: Map<string, Measure>;
  /** The latest change that a measure showed. No other measure takes it back: each sees its own part of the world. */
  lastMeasured: number;
  /** The host measures more than is kept: that nothing changed is then not known. */
  hasMoreMeasures: boolean;
}

/** A command that may have changed the world. */
interface PendingChange {
  /** When a change would have come: with its result. */
  readonly at: number;
  readonly step: Step;
}

interface Measure {
  /** Values seen, the latest last. */
  readonly values: Digest[];
  /** When the world had last changed as the latest value was measured. */
  lastChange: number;
}

export const MAX_MEASURES = 16;
const MAX_VALUES = 4;
const MAX_EDITS = 32;
const MAX_PENDING = 64;
/** A failure told in fewer characters has nothing else to tell. */
const SHORT_FAILURE = 300;
/** An act that answers at more length shows what came of it. */
const SHOWN = 80;

export function createWorld(): World {
  return {
    lastChange: -1,
    lastDelegation: -1,
    pending: [],
    edits: new Map(),
    measures: new Map(),
    lastMeasured: -1,
    hasMoreMeasures: false,
  };
}

/**
 * Notes a step that had not succeeded before, and may have changed the world. What other calls came to up to the one `judged` last was
 * before the change.
 */
export function noteChange(world: World, step: Step, judged: number): void {
  if (step.isSynthetic) return;
  const at = judged > step.index ? judged + 0.5 : step.index;
  if (step.facts.isCommand) {
    if (at >= world.lastChange) notePending(world, { at, step });
    return;
  }
  const { edit } = factsOf(step);
  const act = factsOf(step).reading.act;
  if (act === "asks") {
    if (step.failure === undefined) world.lastDelegation = Math.max(world.lastDelegation, at);
  } else if (mayHaveChanged(step) && (edit === undefined || isNewEdit(world, edit))) change(world, at);
}

/**
 * Whether a step after the one of this index changed the world. What was delegated is no reason to delegate it again: for a delegation,
 * other delegations are no change.
 */
export function hasChangedSince(world: World, index: number, act?: Act): boolean {
  if (world.lastChange > index || (act !== "asks" && world.lastDelegation > index)) return true;
  for (let latest = world.pending.at(-1); latest !== undefined && latest.at > index; latest = world.pending.at(-1)) {
    world.pending.pop();
    if (!mayHaveChanged(latest.step)) continue;
    world.lastChange = latest.at;
    world.pending = [];
    return true;
  }
  return false;
}

/** The step that changed the world last. */
export function lastChangeOf(world: World): number {
  hasChangedSince(world, world.lastChange);
  return Math.max(world.lastChange, world.lastDelegation);
}

/** Finds out all that is pending: at rest no command is kept. */
export function settleWorld(world: World): void {
  hasChangedSince(world, world.lastChange);
  world.pending = [];
}

/** The host measured the world after the step of this index. Returns whether the value is new, and so progress. */
export function measure(world: World, key: string, value: Digest, index: number): boolean {
  settleWorld(world);
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

/** The world is as it was then: whatever claimed to change it since did not. */
function takeBack(world: World, lastChange: number): void {
  world.lastChange = Math.min(world.lastChange, lastChange);
  world.lastDelegation = Math.min(world.lastDelegation, lastChange);
}

/**
 * A call that failed changed nothing, unless it does several things. One that acts changed something if it succeeded; on a page only if it
 * put a text there, because a click may have missed.
 */
export function mayHaveChanged(step: Step): boolean {
  const { isPage, isCode, bringsText, isCompound } = factsOf(step).reading;
  const act = factsOf(step).reading.act;
  const { failure, length } = step;
  if (isPage) return failure === undefined && bringsText && length <= SHOWN;
  // What says that there is nothing was asked for something.
  if (act === "steps" && step.isNothing && !step.isEmpty) return false;
  if (act === "steps" || act === "runs" || (act === "measures" && step.facts.isCommand))
    return failure === undefined && !isCode;
  if (act !== "writes") return false;
  return isCompound || failure === undefined || (failure.strength === "read" && length >= SHORT_FAILURE);
}

function change(world: World, at: number): void {
  world.lastChange = Math.max(world.lastChange, at);
  world.pending = world.pending.filter((pending) => pending.at > world.lastChange);
}

/** Results of parallel calls come in any order; changes are looked for from the latest call backwards. */
function notePending(world: World, pending: PendingChange): void {
  const after = world.pending.findIndex(({ at }) => at > pending.at);
  world.pending.splice(after < 0 ? world.pending.length : after, 0, pending);
  if (world.pending.length > MAX_PENDING) settleWorld(world);
}

function isNewEdit(world: World, edit: Digest): boolean {
  const isNew = !world.edits.has(edit);
  setRecent(world.edits, edit, true, MAX_EDITS);
  return isNew;
}
