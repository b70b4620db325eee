import type { Decision } from "doomloop";
import { createGuard } from "doomloop";
import type { Scenario, Speech } from "./read-scenarios.ts";

/** A decision with a finding, and the place of its event. */
export interface Word {
  readonly at: number;
  readonly decision: Decision;
}

/** What the guard says in a scenario. The run goes on as it was recorded. Throws if the guard had a fault. */
export function replayScenario(scenario: Scenario, resumes = false): readonly Word[] {
  const faults: unknown[] = [];
  const options = { ...scenario.options, onFault: (fault: unknown) => void faults.push(fault) };
  let guard = createGuard(options);
  const words: Word[] = [];
  for (const [at, event] of scenario.events.entries()) {
    if (resumes) guard = createGuard({ ...options, snapshot: JSON.parse(JSON.stringify(guard.snapshot())) });
    const decision = guard.observe(event);
    if (decision.finding === undefined) continue;
    if (words.length === 0 && scenario.host === "allows the first finding") guard.allow(decision.finding);
    words.push({ at, decision: structuredClone(decision) });
  }
  if (faults.length > 0) throw faults[0];
  return words;
}

/** The first event of a place in the scenario: a call, or an answer in words. */
function startOf(scenario: Scenario, id: string): number {
  return placeOf(
    scenario,
    id,
    scenario.events.findIndex((event) => event.id === id),
  );
}

/** The last event of a place in the scenario: a call's result, where it has one. */
export function endOf(scenario: Scenario, id: string): number {
  return placeOf(
    scenario,
    id,
    scenario.events.findLastIndex((event) => event.id === id),
  );
}

/** The words that fall where a speech allows them. */
export function wordsWithin(words: readonly Word[], scenario: Scenario, speech: Speech): readonly Word[] {
  const from = startOf(scenario, speech.from);
  const until = speech.until === undefined ? scenario.events.length : endOf(scenario, speech.until);
  return words.filter(({ at }) => at >= from && at <= until);
}

function placeOf(scenario: Scenario, id: string, at: number): number {
  if (at < 0) throw new Error(`${scenario.run}: an event with the id ${id} is required, got none`);
  return at;
}
