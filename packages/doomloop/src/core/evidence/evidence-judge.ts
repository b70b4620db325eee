import type { Answer, Rung, Tone, Verdict } from "../answer.ts";
import { setRecent } from "../collections/bounded.ts";
import type { DetectorKind, Finding } from "../finding.ts";
import type { Judge, JudgeKind, JudgeTerms } from "../judge.ts";
import type { RunState } from "../memory/run-state.ts";
import type { Step } from "../memory/step.ts";
import type { EvidenceOptions, ResolvedOptions } from "../options.ts";
import type { Question } from "../question.ts";
import { noteLoop, noteQuiet } from "../stats.ts";
import { blindly } from "./blind.ts";
import { findingOf } from "./findings.ts";
import { lookAtStep, noteStep, type Seen } from "./look-at-step.ts";
import {
  askAnyway,
  askFirst,
  beginAnew,
  createOpinions,
  hearOpinion,
  isCalledStuck,
  isCalledWork,
  type Opinions,
  opinionAsFinding,
  waits,
} from "./opinion.ts";
import {
  backToWords,
  createPressure,
  goesOn,
  isSpokenOf,
  judgeCall,
  noteProgress,
  type Pressure,
  press,
  refusedInRow,
  release,
} from "./pressure.ts";
import { reaches, SLACK } from "./sighting.ts";
import { answersAsFinding, createTalk, isTalkDue, streamAsFinding } from "./talk.ts";

/** What the judge remembers beside the run: plain data. */
type EvidenceMemory = ReturnType<typeof createEvidenceMemory>;

function createEvidenceMemory() {
  return {
    pressure: createPressure() as Pressure,
    /** The latest finding of each topic that was told of, by the topic's name. */
    findings: new Map<string, Finding>(),
    /** When the agent was first told, since it made progress; and how often. */
    first: undefined as { readonly calls: number; readonly at: number | undefined } | undefined,
    told: 0,
    /** The last words before a refusal were given. */
    isWarned: false,
    /** The loop last showed in this round. */
    shownRound: -1,
    talk: createTalk(),
    /** Made with the first event, if somebody can be asked. */
    opinions: undefined as Opinions | undefined,
  };
}

const MAX_FINDINGS = 16;

/** Adds up evidence, and answers by levels: words at the first, a refusal at the second, the end at the third. */
export function evidenceJudge({ evidence }: ResolvedOptions): JudgeKind<EvidenceMemory> {
  const create = (memory: EvidenceMemory, terms: JudgeTerms): Judge => createEvidenceJudge(evidence, memory, terms);
  return { name: "evidence", createMemory: createEvidenceMemory, create };
}

function createEvidenceJudge(options: EvidenceOptions, memory: EvidenceMemory, terms: JudgeTerms): Judge {
  const { pressure, findings } = memory;
  if (options.questions > 0) memory.opinions ??= createOpinions();
  const { opinions } = memory;
  let question: Question | undefined;
  const mayAsk = (): boolean => opinions !== undefined && opinions.asked < options.questions && !terms.isUntold();
  const { guard } = terms;
  const { run, nudges } = guard;
  const { levels, hasWords, hasBlock, hasStop, restarts } = options.escalation;

  const isWanted = (finding: Finding, tool = ""): boolean => {
    if (guard.allowed.includes(finding.loop)) return false;
    if (finding.kind === "fleet" || finding.kind === "opinion") return true;
    const threshold = options.thresholdOf(finding.kind, terms.ruleOf(tool));
    if (!options.isOn(finding.kind)) return false;
    return threshold === undefined ? reaches(finding.weight, levels.told - 1) : finding.count >= threshold;
  };
  const least = (kind: DetectorKind): number => (options.hasThreshold(kind) ? SLACK : levels.told - 1);

  /** How the run ends, if it may: it starts over as often as the list says, and then it is stopped. */
  const endOf = (): Rung | undefined => {
    if (restarts > guard.restarts || (restarts > 0 && !hasStop)) return "restart";
    return hasStop ? "stop" : undefined;
  };

  const stillStuck = (step: Step): Seen | undefined => {
    const sighting = goesOn(run, pressure, step);
    const finding = sighting && findings.get(sighting.name);
    return finding && { sighting: sighting!, finding: { ...finding, weight: sighting!.evidence } };
  };

  const ending = (rung: Rung): Answer => answerOf(run, memory, { rung, tone: "last", next: undefined });

  /** Words, which are noted as given. */
  const words = (tone: Tone, next: Rung | undefined, at: number | undefined): Answer => {
    const answer = answerOf(run, memory, { rung: "nudge", tone, next });
    memory.first ??= { calls: run.calls, at };
    memory.told++;
    noteLoop(nudges, true);
    return answer;
  };

  /** The answer to a topic at the level of words: words if they are due, the end if nothing else is left. */
  const answerTo = ({ sighting, finding }: Seen): Answer | undefined => {
    if (!terms.isHeard()) return undefined;
    if (opinions !== undefined && isCalledWork(opinions, sighting)) return undefined;
    const isUntold = terms.isUntold();
    // Nobody was told of what a record shows: the first words are due when the loop goes on.
    if (isUntold && pressure.level < levels.told) return undefined;
    const isStuck = opinions !== undefined && isCalledStuck(opinions, sighting);
    press(run, pressure, { ...sighting, isConfirmed: isStuck || terms.isConfirmed(sighting.step) }, levels);
    const end = endOf();
    memory.shownRound = sighting.step.round;
    setRecent(findings, sighting.name, finding, MAX_FINDINGS);
    if (isUntold) return undefined;
    if (opinions !== undefined && hasWords) {
      if (mayAsk()) question = askFirst(opinions, sighting, finding);
      if (waits(opinions, sighting)) return undefined;
    }
    // The end of a run was the answer to the call already.
    const isOver = pressure.level >= levels.ended && pressure.answeredRound !== sighting.step.round;
    // Somebody who looks for the way out is told once that it does not open.
    if (sighting.step.isWayOut && memory.told > 0 && (end === undefined || !isOver)) return undefined;
    const isDue = isSpokenOf(run, pressure, sighting, levels);
    if (end !== undefined && (isOver || !(hasWords || hasBlock))) return ending(end);
    if (!hasWords) {
      pressure.level = Math.max(pressure.level, levels.refused - 1);
      return undefined;
    }
    const beyond = hasBlock ? "block" : end;
    const isLast = beyond !== undefined && pressure.level >= (hasBlock ? levels.refused : levels.ended) - 1;
    const round = Math.max(sighting.step.round, run.round);
    if (!isDue && (!isLast || memory.isWarned || pressure.spokenRound === round)) return undefined;
    memory.isWarned ||= isLast;
    pressure.spokenRound = round;
    const tone = isLast ? "last" : memory.told === 0 ? "notice" : "warning";
    return words(tone, isLast ? beyond : beyond && "nudge", sighting.step.at);
  };

  /** The words for a run that was called stuck, if the rules have none. */
  const wordsOnOpinion = (step: Step): Verdict | undefined => {
    const due = opinions?.due;
    if (due === undefined || !hasWords || !terms.isHeard() || terms.isUntold()) return undefined;
    opinions!.due = undefined;
    const known = due.name === undefined ? undefined : findings.get(due.name);
    const finding = known ?? opinionAsFinding(run, due.since, levels.told - 1);
    if (guard.allowed.includes(finding.loop)) return undefined;
    pressure.spokenRound = Math.max(step.round, run.round);
    const next = hasBlock || endOf() !== undefined ? "nudge" : undefined;
    const answer = words(memory.told === 0 ? "notice" : "warning", next, step.at);
    // No rule sees whether the agent heeds it.
    nudges.isPending = false;
    return { finding, answer };
  };

  /** Talk cannot be refused: it is told of, and ends the run. */
  const answerToTalk = (finding: Finding): Answer | undefined => {
    if (!terms.isHeard() || terms.isUntold()) return undefined;
    const end = endOf();
    const isFar = finding.weight >= levels.ended - 1 && memory.talk.told > 0;
    if (end !== undefined && (isFar || !hasWords)) return ending(end);
    if (!hasWords || !isTalkDue(memory.talk, finding)) return undefined;
    const tone = memory.talk.told === 1 ? "notice" : "warning";
    return words(tone, end && "nudge", undefined);
  };

  const verdictOnTalk = (finding: Finding): Verdict | undefined =>
    isWanted(finding) ? { finding, answer: answerToTalk(finding) } : undefined;

  return {
    isByCall: false,
    ended: levels.ended,
    onCall(step, isBlind) {
      noteQuiet(nudges, step.round - memory.shownRound);
      if (guard.allowedCalls.includes(step.key)) return undefined;
      // A call of a record has run. If it was not let through, nobody was there to refuse it.
      const before = terms.isUntold() ? { ...pressure } : undefined;
      const said = terms.isHeard() ? judgeCall(run, pressure, step, levels) : undefined;
      if (said !== undefined && before !== undefined) Object.assign(pressure, before);
      const finding = said && findings.get(said.name);
      if (said !== undefined && finding !== undefined) {
        memory.shownRound = step.round;
        noteLoop(nudges, false);
        const end = endOf();
        const rung = said.action === "stop" && end !== undefined ? end : "block";
        return {
          finding,
          answer: answerOf(run, memory, { rung, tone: "last", next: rung === "block" ? end : undefined }),
        };
      }
      const sighting = isBlind ? blindly(run, step, levels.told - 1) : undefined;
      const seen = sighting && { sighting, finding: findingOf(run, sighting, "") };
      return seen && isWanted(seen.finding, step.tool) ? { finding: seen.finding, answer: answerTo(seen) } : undefined;
    },
    onStep(step, text) {
      pressure.isDefied ||= step.isRefused && !step.isSynthetic;
      const seen = lookAtStep(run, step, text, { least, isWanted, goesOn: stillStuck });
      noteStep(run, step, text);
      if (seen === undefined) noteProgress(pressure, levels, step);
      if (pressure.level < levels.told) forgetWords(memory);
      if (opinions !== undefined && (step.isNews || step.isChange)) opinions.stuckSince = -1;
      const isLeft = seen === undefined || guard.allowedCalls.includes(step.key);
      const verdict = isLeft ? undefined : { finding: seen.finding, answer: answerTo(seen) };
      if (opinions === undefined) return verdict;
      if (verdict?.answer !== undefined) opinions.due = undefined;
      else if (question === undefined && mayAsk()) question = askAnyway(opinions, run, step);
      return verdict?.answer === undefined ? (wordsOnOpinion(step) ?? verdict) : verdict;
    },
    onOpinion: (event) => opinions && hearOpinion(opinions, run, event),
    takeQuestion() {
      const taken = question;
      question = undefined;
      return taken;
    },
    onAnswer: (answers) => verdictOnTalk(answersAsFinding(answers)),
    onStream: (stream, repeat) => verdictOnTalk(streamAsFinding(stream, repeat)),
    onUser: () => letGo(run, memory),
    onUnheard() {
      backToWords(pressure, levels);
      memory.isWarned = false;
    },
    onProgress: () => letGo(run, memory),
    allow(loop) {
      const names = [...findings].filter(([, finding]) => finding.loop === loop).map(([name]) => name);
      const calls = pressure.stuck.filter(({ name }) => names.includes(name)).map(({ key }) => key);
      letGo(run, memory);
      return calls;
    },
  };
}

function answerOf(run: RunState, memory: EvidenceMemory, given: Pick<Answer, "rung" | "tone" | "next">): Answer {
  const { first, told } = memory;
  const ms = first?.at === undefined || run.lastAt === undefined ? undefined : Math.max(0, run.lastAt - first.at);
  const refused = given.rung === "nudge" ? 0 : refusedInRow(memory.pressure);
  return {
    ...given,
    ignored: told,
    ...(refused > 0 && { refused }),
    ...(first && { lasting: { calls: run.calls - first.calls, ms } }),
  };
}

function forgetWords(memory: EvidenceMemory): void {
  memory.first = undefined;
  memory.told = 0;
  memory.isWarned = false;
}

/** The user spoke, or something happened that is beyond doubt: all pressure goes, and words begin with the first. */
function letGo(run: RunState, memory: EvidenceMemory): void {
  release(memory.pressure);
  for (const topic of run.topics.values()) Object.assign(topic, { shown: 0, told: 0, nextAt: 0 });
  Object.assign(memory.talk, createTalk());
  if (memory.opinions !== undefined) beginAnew(memory.opinions, run);
  forgetWords(memory);
}
