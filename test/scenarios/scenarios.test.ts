import type {} from "doomloop";
import { describe, expect, it } from "vitest";
import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import { FOLDERS, readScenarios, type Scenario, type Speech } from "./read-scenarios.ts";
import { endOf, replayScenario, type Word, wordsWithin } from "./replay-scenario.ts";

const scenarios = readScenarios();
const ACTIONS: readonly Action[] = ["continue", "nudge", "block", "restart", "stop"];

/** A word as a failing test shows it: the call, the action and the kind. */
function shown({ at, decision }: Word, scenario: Scenario): string {
  return `${scenario.events[at]!.id ?? `event ${at}`}: ${decision.action} ${decision.finding!.kind}`;
}

function checkSpeech(speech: Speech, words: readonly Word[], scenario: Scenario): void {
  const within = wordsWithin(words, scenario, speech);
  expect(within[0]?.at ?? Number.POSITIVE_INFINITY, "the first word comes late").toBeLessThanOrEqual(
    endOf(scenario, speech.by),
  );
  const actions = within.map(({ decision }) => decision.action);
  if (speech.kinds !== undefined) expect(speech.kinds).toContain(within[0]!.decision.finding!.kind);
  if (speech.actions !== undefined) expect(actions).toEqual(speech.actions);
  else if (speech.atMost !== "continue") expect(actions[0], "the first word is a nudge").toBe("nudge");
  if (speech.atMost !== undefined)
    expect(ACTIONS.slice(0, ACTIONS.indexOf(speech.atMost) + 1)).toEqual(expect.arrayContaining(actions));
}

describe.each(Object.keys(FOLDERS) as (keyof typeof FOLDERS)[])("%s", (folder) => {
  for (const scenario of scenarios.filter(({ run }) => run.startsWith(`${folder}/`))) {
    const declare = scenario.today === undefined ? it : it.fails;
    declare(`${FOLDERS[folder]} ${scenario.standsFor} (${scenario.run})`, () => {
      const words = replayScenario(scenario);
      const speeches = scenario.expect === "continue throughout" ? [] : scenario.expect;
      const expected = speeches.flatMap((speech) => wordsWithin(words, scenario, speech));
      const unexpected = words.filter((word) => !expected.includes(word));
      expect(unexpected.map((word) => shown(word, scenario))).toEqual([]);
      for (const speech of speeches) checkSpeech(speech, words, scenario);
    });
  }
});

describe("every scenario", () => {
  it.each(scenarios)("$run decides the same each time, and saved and resumed before every event", (scenario) => {
    expect(replayScenario(scenario)).toEqual(replayScenario(scenario));
    expect(replayScenario(scenario, true)).toEqual(replayScenario(scenario));
  });

  it.each(scenarios.filter(({ run }) => run.startsWith("loops/")))("$run never ends an attended run", (scenario) => {
    const words = replayScenario({ ...scenario, options: { ...scenario.options, attended: true } });

    expect(words.filter(({ decision }) => ["restart", "stop"].includes(decision.action))).toEqual([]);
  });
});
