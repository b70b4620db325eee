import { DETECTOR_KINDS } from "../core/finding.ts";
import {
  type AgentEvent,
  type CustomDetector,
  createGuard,
  type Finding,
  type Guard,
  type GuardOptions,
} from "../index.ts";
import { step, text } from "./events.ts";

/** Runs to test a detector with. */
export interface DetectorRuns {
  /** A run in which the detector must find a loop. */
  readonly firing: readonly AgentEvent[];
  /** A run that looks similar, in which it must find nothing. */
  readonly innocent: readonly AgentEvent[];
}

/** What a detector finds in a run, event by event. */
export type FindingsOf = (events: readonly AgentEvent[]) => readonly Finding[];

const MAX_STEPS = 32;
const MAX_TOOLS = 8;
/** A shorter text may occur in a finding by chance. */
const MIN_COPIED = 8;

/** Our own detectors, all switched off. */
const SILENT = Object.fromEntries(DETECTOR_KINDS.map((kind) => [kind, false as const]));

/**
 * Throws unless your own detector keeps the contract of doomloop's detectors. It must find the loop that it is made for, with the same
 * findings every time. It must find nothing in honest work and in first steps. It must report valid facts, and copy no arguments or results.
 * And it must decide the same after it was restored from a snapshot.
 */
export function assertDetector(detector: CustomDetector, runs: DetectorRuns): void {
  const broken = [...brokenPromises(findingsBy(detector), runs), ...brokenSnapshots(detector, runs.firing)];
  if (broken.length > 0) throw new Error(`assertDetector: ${broken.join("; ")}`);
}

/** The parts of the contract that a detector breaks, as sentences; empty if it breaks none. */
export function brokenPromises(findingsOf: FindingsOf, { firing, innocent }: DetectorRuns): string[] {
  const findings = findingsOf(firing);
  const first = [...step("read_file", { path: "a.ts" }, "export const a = 1;"), text("It exports a.")];
  const words = firing.flatMap(wordsOf).filter((word) => word.length >= MIN_COPIED);
  const told = JSON.stringify(findings.map(factsIn));
  const copied = words.find((word) => told.includes(JSON.stringify(word).slice(1, -1)));
  return [
    ...(findings.length === 0 ? ["it finds nothing in the run that it is made for"] : []),
    ...(JSON.stringify(findingsOf(firing)) === JSON.stringify(findings)
      ? []
      : ["it does not find the same every time"]),
    ...(findingsOf(innocent).length > 0 ? ["it finds something in the innocent run"] : []),
    ...(findingsOf(first).length > 0 ? ["it finds something in a first step and a first answer"] : []),
    ...(copied === undefined ? [] : ["it copies arguments, results or words into a finding"]),
    ...new Set(findings.flatMap(brokenFacts)),
  ];
}

function brokenFacts({ loop, steps, count, confidence, tools }: Finding): string[] {
  const inOrder = [...new Set(steps)].sort((one, other) => one - other);
  return [
    ...(/^[0-9a-f]{32}$/.test(loop) ? [] : ["its loop has no identity"]),
    ...(Number.isInteger(count) && count >= 1 ? [] : ["its count is not an integer of at least 1"]),
    ...(confidence > 0 && confidence <= 1 ? [] : ["its confidence is not above 0 and up to 1"]),
    ...(tools.length <= MAX_TOOLS ? [] : [`it names more than ${MAX_TOOLS} tools`]),
    ...(steps.length <= MAX_STEPS ? [] : [`it names more than ${MAX_STEPS} steps`]),
    ...(steps.every((index, at) => index === inOrder[at]) ? [] : ["its steps are not in order, each once"]),
  ];
}

/** A finding without the words of its author. */
function factsIn(finding: Finding): object {
  return finding.kind === "custom" ? { ...finding, evidence: undefined } : finding;
}

/** Runs a custom detector by itself. */
function findingsBy(detector: CustomDetector): FindingsOf {
  return (events) => {
    const guard = guardWith(detector, {});
    return events.map((event) => guard.observe(event).finding).filter((finding) => finding !== undefined);
  };
}

function brokenSnapshots(detector: CustomDetector, events: readonly AgentEvent[]): string[] {
  const decide = (guard: Guard, from: number): string =>
    JSON.stringify(events.slice(from).map((event) => guard.observe(event)));
  const differs = events.some((_, cut) => {
    const guard = guardWith(detector, {});
    for (const event of events.slice(0, cut)) guard.observe(event);
    const restored = guardWith(detector, { snapshot: JSON.parse(JSON.stringify(guard.snapshot())) });
    return decide(restored, cut) !== decide(guard, cut);
  });
  return differs ? ["it decides differently after a snapshot"] : [];
}

/** A guard with this detector only, which reports every finding and throws its faults. */
function guardWith(detector: CustomDetector, options: GuardOptions): Guard {
  let failed: unknown;
  const guard = createGuard({
    ...options,
    preset: "shadow",
    detectors: { ...SILENT, "under-test": detector },
    onFault: (fault) => {
      failed ??= fault;
    },
  });
  return {
    ...guard,
    observe(event) {
      const decision = guard.observe(event);
      if (failed !== undefined) throw failed;
      return decision;
    },
  };
}

/** Every text in an event except the tool's name. */
function wordsOf(event: AgentEvent): string[] {
  if (event.type === "call") return textsIn(event.args);
  if (event.type === "result") return textsIn(event.output);
  return "text" in event && event.text !== undefined ? [event.text] : [];
}

function textsIn(root: unknown): string[] {
  const texts: string[] = [];
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string") texts.push(value);
    if (typeof value === "object" && value !== null) pending.push(...Object.values(value));
  }
  return texts;
}
