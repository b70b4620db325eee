import type { Answer, Rung, Verdict } from "../core/answer.ts";
import { setRecent } from "../core/collections/bounded.ts";
import type { CallEvent } from "../core/event.ts";
import type { Finding } from "../core/finding.ts";
import { commandOf, fieldsOf, hintOf } from "../core/hints/calls.ts";
import { readArguments } from "../core/identity/call-identity.ts";
import { canonicalOf, pick } from "../core/identity/canonical.ts";
import { type Digest, digestOf, digestOfAll } from "../core/identity/digest.ts";
import type { Platform } from "../core/identity/read-object.ts";
import type { Judge, JudgeFactory, JudgeTerms } from "../core/judge.ts";
import type { Judged } from "../core/judged.ts";
import { answersAsFinding } from "../core/reading/talk.ts";
import { noteLoop, noteQuiet } from "../core/stats.ts";
import { type Counted, callCycle, failedCommands, failedTests, lapLength, repeatedCall } from "./count-findings.ts";
import {
  type CountMemory,
  countCall,
  createCountMemory,
  forgetCalls,
  keepPrimary,
  longer,
  NO_STREAK,
} from "./count-memory.ts";
import { type CountRules, checkCounts, type ResolvedCounts, resolveCounts } from "./count-rules.ts";

/** The arguments that say what a call asks for. All others say how. */
const PRIMARY = ["path", "file_path", "command", "pattern", "query", "url", "content", "filename", "offset", "limit"];

/** A command with one of these does more than show a file. */
const JOINED = /[|<>;&]/;

/** What the host and the guard say. */
interface CountTerms extends JudgeTerms {
  readonly rules: ResolvedCounts;
  readonly ladder: readonly Rung[];
}

const MAX_SEEN = 64;

/** Counts by the host's own rules, and answers with one action of the ladder after another. */
export function countJudge(given: CountRules): JudgeFactory {
  return ({ ladder, askedLadder }) => {
    checkCounts(given);
    const rules = resolveCounts(given, askedLadder);
    const create = (memory: CountMemory, terms: JudgeTerms): Judge =>
      createCountJudge(memory, { ...terms, rules, ladder });
    return { name: "counts", needsStrict: true, createMemory: createCountMemory, create, trimmed: (memory) => memory };
  };
}

function createCountJudge(memory: CountMemory, terms: CountTerms): Judge {
  const { rules, ruleOf, guard, platform } = terms;
  const isCompared = rules.outcomes === "compare";

  /** The first of some loops that nobody allowed. */
  const firstWanted = (...found: readonly (Finding | false | undefined)[]): Finding | undefined =>
    found.find((finding) => typeof finding === "object" && !guard.allowed.includes(finding.loop)) || undefined;

  /** What a call asks for, if similar calls are counted. */
  const primaryOf = ({ open }: Judged, event: CallEvent): Digest | undefined =>
    rules.similar === undefined || !open.isComparable ? undefined : primaryIdentity(event, platform);

  /** Counts a call, and returns the loop that it makes. */
  const countedLoop = (judged: Judged, primary: Digest | undefined, outcome: string): Finding | undefined => {
    const key = judged.open.strict!;
    const signature = (identity: Digest): Digest => (isCompared ? digestOfAll(identity, outcome) : identity);
    const { index, tool } = judged.step;
    countCall(memory, { index, tool, key, same: signature(key), alike: signature(primary ?? key) }, rules);
    const equal = equalsOf("same");
    judged.repeats = equal.count;
    judged.added = equal.count > 1 ? 1 : 0;
    if (guard.allowedCalls.includes(key)) return undefined;
    const similar = equalsOf("alike");
    const period = lapLength(memory, rules);
    return firstWanted(
      isReached(equal.count, thresholdOf(judged)) && repeatedCall(judged, equal, key, false),
      isReached(similar.count, rules.similar) && repeatedCall(judged, similar, primary ?? key, true),
      period !== undefined && callCycle(judged, memory, period),
    );
  };

  /** The latest call with those that equal it, in a row or within the window. */
  const equalsOf = (by: "same" | "alike"): Counted => {
    const { calls, inTurn, alikeRow } = memory;
    if (rules.within === "row") {
      const count = by === "same" ? inTurn[1]! + 1 : alikeRow;
      return { calls: calls.slice(-count), count };
    }
    const { [by]: latest } = calls.at(-1)!;
    const equals = calls.slice(-rules.within).filter((each) => each[by] === latest);
    return { calls: equals, count: equals.length };
  };

  const thresholdOf = ({ step: { tool, index } }: Judged): number | undefined => {
    if (rules.repeats === undefined) return undefined;
    const { later, repeats } = rules;
    return ruleOf(tool).threshold ?? (later !== undefined && index >= later.afterCalls ? later.repeats : repeats);
  };

  /** Counts failures in a row, and returns the loop that they make. */
  const failingLoop = (judged: Judged): Finding | undefined => {
    const { step, open } = judged;
    const isFailed = step.outcome === "failed";
    const isTest = step.effect === "test";
    if (isTest) memory.tests = isFailed ? longer(memory.tests, judged) : NO_STREAK;
    if (open.isCommand) memory.commands = isFailed ? longer(memory.commands, judged) : NO_STREAK;
    const { tests, commands } = memory;
    return firstWanted(
      isTest && isReached(tests.count, rules.failingTests) && failedTests(judged, tests),
      open.isCommand && isReached(commands.count, rules.failingCommands) && failedCommands(judged, commands),
    );
  };

  const verdictOn = (finding: Finding, judged?: Judged): Verdict => {
    const { loop } = finding;
    const lap = finding.kind === "call-cycle" ? memory.calls.slice(-finding.period).map(({ key }) => key) : undefined;
    const keys = lap ?? (judged === undefined ? [] : [judged.open.strict!]);
    const times = (memory.seen.get(loop) ?? 0) + 1;
    setRecent(memory.seen, loop, times, MAX_SEEN);
    memory.seenInAll++;
    memory.latest = { loop, keys, index: judged?.step.index ?? memory.latest?.index ?? 0 };
    const answer = answerOf(terms, placeOf(terms, memory, finding), times);
    noteLoop(guard.nudges, answer.rung === "nudge");
    return { finding, answer };
  };

  return {
    isByCall: !isCompared,
    // Only the ladder ends a run.
    ended: Number.POSITIVE_INFINITY,
    onCall(judged, _isBlind, event) {
      const { step, open } = judged;
      const { latest, refused } = memory;
      noteQuiet(guard.nudges, step.index - 1 - (latest?.index ?? 0));
      const primary = primaryOf(judged, event);
      if (isCompared && primary !== undefined) keepPrimary(memory, guard.run, step.index, primary);
      const counted = isCompared ? undefined : countedLoop(judged, primary, "");
      const loop = counted ?? firstWanted(refused?.key === open.strict && refused?.finding);
      return loop && verdictOn(loop, judged);
    },
    onStep(judged) {
      memory.refused = undefined;
      const compared = isCompared
        ? countedLoop(judged, memory.primaries.get(judged.step.index), judged.text!.slice(0, rules.comparedCharacters))
        : undefined;
      const failing = failingLoop(judged);
      const loop = firstWanted(compared, failing);
      const verdict = loop && verdictOn(loop, judged);
      // The call has run. If it is to be refused, that is done when it comes again.
      if (verdict?.answer?.rung === "block") memory.refused = { key: judged.open.strict!, finding: verdict.finding };
      return verdict;
    },
    onAnswer(answers) {
      const loop = firstWanted(isReached(answers.count, rules.answersWithoutCalls) && answersAsFinding(answers));
      return loop && verdictOn(loop);
    },
    // Words inside one answer are not counted.
    onStream: () => undefined,
    onUser() {
      memory.refused = undefined;
      guard.nudges.isPending = false;
    },
    onUnheard() {
      memory.seen.clear();
      memory.seenInAll = 0;
      memory.refused = undefined;
    },
    onCompaction() {},
    onProgress: () => forgetCalls(memory),
    onMeasure() {},
    onOpinion: () => undefined,
    takeQuestion: () => undefined,
    allow(loop) {
      memory.refused = undefined;
      return memory.latest?.loop === loop ? memory.latest.keys : [];
    },
  };
}

function isReached(count: number, threshold: number | undefined): boolean {
  return threshold !== undefined && count >= threshold;
}

/** Which action of the ladder is due, from 0. */
function placeOf({ rules, ladder }: CountTerms, memory: CountMemory, { loop, count }: Finding): number {
  const { escalates } = rules;
  const reached =
    escalates === "loop"
      ? memory.seen.get(loop)!
      : escalates === "run"
        ? memory.seenInAll
        : escalates.filter((least) => count >= least).length;
  return Math.min(Math.max(reached, 1), ladder.length) - 1;
}

/** The action at a place of the ladder, worded by what follows it. */
function answerOf({ ladder, guard }: CountTerms, place: number, times: number): Answer {
  const asked = ladder[place]!;
  // A run starts over as often as the ladder says, and then it is stopped.
  const isUsedUp =
    asked === "restart" &&
    ladder.includes("stop") &&
    guard.restarts >= ladder.filter((rung) => rung === "restart").length;
  const rung = isUsedUp ? "stop" : asked;
  const next = rung === "stop" ? undefined : ladder[place + 1];
  const isLast = rung !== "nudge" || (next !== undefined && next !== "nudge");
  const isFirst = place === 0 && (times === 1 || ladder.length > 1);
  const tone = isLast ? "last" : isFirst ? "notice" : "warning";
  return { rung, tone, next, ignored: times - 1 };
}

/**
 * The identity of a call by its primary arguments; for a command that only shows a file, by that file. Undefined if it has no such
 * arguments, or none that can be compared: then it is similar only to its equals.
 */
export function primaryIdentity({ tool, args: given }: CallEvent, platform: Platform): Digest | undefined {
  const args = readArguments(given);
  const { command, subject } = hintOf(tool, args);
  const isFileRead = command !== undefined && subject !== undefined && subject !== command;
  if (isFileRead && !JOINED.test(commandOf(args, fieldsOf(args)) ?? "")) return digestOfAll("file read", subject);
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return undefined;
  const primary = pick(args, PRIMARY);
  if (Object.keys(primary).length === 0) return undefined;
  const written = canonicalOf(primary, platform, `primary ${tool}`);
  return written === undefined ? undefined : digestOf(written.text);
}
