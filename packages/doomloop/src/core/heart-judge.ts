import type { Answer, Rung, Tone, Verdict } from "./answer.ts";
import { setRecent } from "./collections/bounded.ts";
import type { Seen } from "./detectors/index.ts";
import type { DetectorKind, Finding } from "./finding.ts";
import { findingOf } from "./findings.ts";
import type { Digest } from "./identity/digest.ts";
import type { Judge, JudgeKind, JudgeTerms } from "./judge.ts";
import type { Judged } from "./judged.ts";
import { compacted, EMPTY, type Memory, newTurn, trimmedTo } from "./memory.ts";
import { type Observed, observe } from "./observe.ts";
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
} from "./opinions.ts";
import type { EvidenceOptions, ResolvedOptions } from "./options.ts";
import type { Question } from "./question.ts";
import { answersAsFinding, streamAsFinding } from "./reading/talk.ts";
import { type Ladder, QUIET, TOLERANCE, unheard } from "./stage.ts";
import { noteLoop, noteQuiet } from "./stats.ts";
import type { Step } from "./step.ts";

/** What the judge remembers: plain data. */
type HeartMemory = ReturnType<typeof createHeartMemory>;

function createHeartMemory() {
  return {
    heart: EMPTY as Memory,
    /** The latest finding of each loop that was answered. */
    findings: new Map<number, Finding>(),
    /** When the agent was told first, and the round in which the loop was shown last. */
    toldAt: undefined as number | undefined,
    shownRound: -1,
    /** A refused call ran all the same: the host cannot refuse calls. */
    isDefied: false,
    /** How many changes there were when each of the host's measures was taken last. */
    measured: new Map<Digest, number>(),
    /** Of talk: which was told, how often, and at what weight it is told next. */
    talk: { loop: "", told: 0, nextAt: 0 },
    /** Made with the first event, if somebody can be asked. */
    opinions: undefined as Opinions | undefined,
  };
}

const MAX_FINDINGS = 16;
const MAX_MEASURED = 16;
/** A run whose results nobody sees is answered by words alone, and not before its calls are so many. */
const FEWEST_UNSEEN = 8;

/** Adds up evidence, and answers by levels: words at the first, a refusal at the second, the end at the third. */
export function heartJudge({ evidence }: ResolvedOptions): JudgeKind<HeartMemory> {
  return {
    name: "evidence",
    needsStrict: false,
    createMemory: createHeartMemory,
    create: (memory, terms) => createHeartJudge(evidence, memory, terms),
    trimmed: (memory, part) => ({ ...memory, heart: trimmedTo(memory.heart, part) }),
  };
}

function createHeartJudge(options: EvidenceOptions, memory: HeartMemory, terms: JudgeTerms): Judge {
  const { guard } = terms;
  const { run, nudges } = guard;
  const { levels, hasWords, hasBlock, hasStop, restarts } = options.escalation;
  const ladder: Ladder = { levels, hasWords, hasBlock, canEnd: hasStop || restarts > 0 };
  if (options.questions > 0) memory.opinions ??= createOpinions();
  const { opinions, findings } = memory;
  let question: Question | undefined;
  const mayAsk = (): boolean => opinions !== undefined && opinions.asked < options.questions && !terms.isUntold();

  /** How the run ends, if it may: it starts over as often as the list says, and then it is stopped. */
  const endOf = (): Rung | undefined => {
    if (restarts > guard.restarts || (restarts > 0 && !hasStop)) return "restart";
    return hasStop ? "stop" : undefined;
  };

  /** What was seen as a finding, if the host wants to be told of it. */
  const wantedFinding = (seen: Seen, judged: Judged): Finding | undefined => {
    const mayCount = options.hasThreshold(seen.kind) || options.hasThreshold("call-cycle");
    if (!mayCount && !reaches(seen.evidence)) return undefined;
    const finding = findingOf([...memory.heart.recent, judged.step], seen, judged);
    return isWanted(finding, judged.step.tool) ? finding : undefined;
  };

  const isWanted = ({ kind, loop, count, weight }: Finding, tool = ""): boolean => {
    if (guard.allowed.includes(loop) || !options.isOn(kind as DetectorKind)) return false;
    const threshold = options.thresholdOf(kind as DetectorKind, terms.ruleOf(tool));
    return threshold === undefined ? reaches(weight) : count >= threshold;
  };

  const reaches = (evidence: number): boolean => evidence > levels.told - TOLERANCE;

  /** An answer, with what the agent was told before and what it did since. */
  const answerOf = (given: Pick<Answer, "rung" | "tone" | "next">, step: Step | undefined, at?: number): Answer => {
    const { stage } = memory.heart;
    const words = stage.at === "quiet" ? undefined : stage.words;
    const isRefusal = given.rung !== "nudge";
    const refused = isRefusal && !memory.isDefied && "refused" in stage ? stage.refused : 0;
    const told = words?.count ?? 0;
    const since = told > (isRefusal ? 0 : 1) ? words!.since : undefined;
    const ms = memory.toldAt === undefined || at === undefined ? undefined : Math.max(0, at - memory.toldAt);
    return {
      ...given,
      ignored: Math.max(0, told - (isRefusal ? 0 : 1)),
      ...(refused > 0 && { refused }),
      ...(since !== undefined && step !== undefined && { lasting: { calls: step.index - since, ms } }),
    };
  };

  /** What the stage of the run replies, as an answer in words. */
  const answerTo = ({ reply }: Observed, step: Step, at: number | undefined): Answer | undefined => {
    if (reply === "continue") return undefined;
    const end = endOf();
    const { stage } = memory.heart;
    const count = stage.at === "quiet" ? 0 : stage.words.count;
    if (reply === "nudge" && count === 1) memory.toldAt = at;
    const beyond = hasBlock ? "block" : end;
    switch (reply) {
      case "nudge":
        return answerOf({ rung: "nudge", tone: count === 1 ? "notice" : "warning", next: beyond && "nudge" }, step, at);
      case "warn":
        return answerOf({ rung: "nudge", tone: "last", next: beyond }, step, at);
      case "block":
        return answerOf({ rung: "block", tone: "last", next: end }, step, at);
      case "end":
        return answerOf({ rung: end ?? "block", tone: "last", next: undefined }, step, at);
    }
  };

  /** Judges a step, and answers what is seen in it. */
  const judgeStep = (judged: Judged, wants: (seen: Seen) => boolean): Verdict | undefined => {
    const { step } = judged;
    const before = memory.heart.stage;
    let finding: Finding | undefined;
    const observed = observe(
      memory.heart,
      {
        kind: "step",
        step,
        wants(seen) {
          if (!wants(seen) || (opinions !== undefined && isCalledWork(opinions, seen, step))) return false;
          finding = wantedFinding(seen, judged);
          return finding !== undefined;
        },
        confirms: () => terms.isConfirmed(judged) || (opinions !== undefined && isCalledStuck(opinions, step)),
        audience: terms.isHeard() ? (terms.isUntold() ? "record" : "agent") : "nobody",
      },
      ladder,
    );
    memory.heart = observed.memory;
    noteRepeat(judged, observed);
    const { loop, seen } = observed;
    if (loop === undefined) return finding && { finding, answer: undefined };
    finding ??= findings.get(loop.about);
    if (finding === undefined) return undefined;
    setRecent(findings, loop.about, finding, MAX_FINDINGS);
    memory.shownRound = step.round;
    if (seen !== undefined && before.at === "quiet" && opinions !== undefined && hasWords && mayAsk()) {
      question = askFirst(opinions, seen, step, finding);
    }
    if (seen !== undefined && opinions !== undefined && before.at === "quiet" && waits(opinions, seen, step)) {
      memory.heart = { ...memory.heart, stage: QUIET };
      return { finding, answer: undefined };
    }
    const answer = answerTo(observed, step, judged.open.at);
    if (answer?.rung === "nudge") noteLoop(nudges, true);
    return { finding, answer };
  };

  /** The words for a run that was called stuck, if the rules have none. */
  const wordsOnOpinion = ({ step, open }: Judged): Verdict | undefined => {
    const due = opinions?.due;
    if (due === undefined || !hasWords || !terms.isHeard() || terms.isUntold()) return undefined;
    opinions!.due = undefined;
    const known = due.about === undefined ? undefined : findings.get(due.about);
    const finding = known ?? opinionAsFinding(memory.heart, run.calls, due.since, levels.told);
    if (guard.allowed.includes(finding.loop)) return undefined;
    const next = hasBlock || endOf() !== undefined ? "nudge" : undefined;
    const told = answerOf({ rung: "nudge", tone: "notice", next }, step, open.at);
    const isFirst = memory.heart.stage.at === "quiet";
    // No rule sees whether the agent heeds it.
    nudges.isPending = false;
    return { finding, answer: isFirst ? told : { ...told, tone: "warning" as const } };
  };

  /** Talk cannot be refused: it is told of at growing distances, and ends the run. */
  const answerToTalk = ({ loop, weight }: Finding): Answer | undefined => {
    if (!terms.isHeard() || terms.isUntold()) return undefined;
    const { talk } = memory;
    if (talk.loop !== loop) Object.assign(talk, { loop, told: 0, nextAt: 0 });
    const end = endOf();
    const given = { ignored: talk.told };
    const isFar = weight > levels.ended - TOLERANCE && talk.told > 0;
    if (end !== undefined && (isFar || !hasWords)) return { rung: end, tone: "last", next: undefined, ...given };
    if (!hasWords || weight < talk.nextAt) return undefined;
    talk.told++;
    talk.nextAt = weight + 2 ** talk.told;
    noteLoop(nudges, true);
    const tone: Tone = talk.told === 1 ? "notice" : "warning";
    return { rung: "nudge", tone, next: end && "nudge", ...given };
  };

  const verdictOnTalk = (finding: Finding): Verdict | undefined =>
    isWanted(finding) ? { finding, answer: answerToTalk(finding) } : undefined;

  /** The user spoke, or something happened that is beyond doubt: nothing is left of what was seen and told. */
  const forget = (): void => {
    memory.heart = newTurn(memory.heart);
    memory.talk = { loop: "", told: 0, nextAt: 0 };
    memory.toldAt = undefined;
    if (opinions !== undefined) beginAnew(opinions, run.calls);
  };

  const judgeCall = (judged: Judged): Verdict | undefined => {
    const { step, open } = judged;
    const observed = observe(memory.heart, { kind: "call", call: open.call }, ladder);
    memory.heart = observed.memory;
    const finding = observed.loop && findings.get(observed.loop.about);
    if (observed.reply === "continue" || finding === undefined) return undefined;
    memory.shownRound = step.round;
    noteLoop(nudges, false);
    return { finding, answer: answerTo(observed, step, open.at) };
  };

  return {
    isByCall: false,
    ended: levels.ended,
    onCall(judged, isBlind) {
      const { step } = judged;
      noteQuiet(nudges, step.round - memory.shownRound);
      if (guard.allowedCalls.includes(String(step.call))) return undefined;
      // A call of a record has run: nobody was there to refuse it.
      const refused = terms.isHeard() && !terms.isUntold() ? judgeCall(judged) : undefined;
      if (refused !== undefined || !isBlind) return refused;
      return judgeStep(
        judged,
        ({ kind }) => step.index >= FEWEST_UNSEEN - 1 && (kind === "repeated-call" || kind === "call-cycle"),
      );
    },
    onStep(judged) {
      const { step, open } = judged;
      // What was counted before the first result was seen is no evidence.
      if (run.results === 1) memory.heart = EMPTY;
      memory.isDefied ||= open.isRefused;
      const isAllowed = guard.allowedCalls.includes(String(step.call));
      const verdict = judgeStep(judged, () => !isAllowed);
      if (opinions === undefined) return verdict;
      if (step.progress !== "none") opinions.stuckSince = -1;
      if (verdict?.answer !== undefined) opinions.due = undefined;
      else if (question === undefined && mayAsk()) question = askAnyway(opinions, memory.heart, run.from, step);
      return verdict?.answer === undefined ? (wordsOnOpinion(judged) ?? verdict) : verdict;
    },
    onAnswer: (answers) => verdictOnTalk(answersAsFinding(answers)),
    onStream: (stream, repeat) => verdictOnTalk(streamAsFinding(stream, repeat)),
    onUser: forget,
    onProgress: forget,
    onCompaction() {
      memory.heart = compacted(memory.heart);
    },
    onMeasure(key, isSame) {
      const { heart, measured } = memory;
      const before = measured.get(key);
      // What was taken for a change since then was none.
      const changes = isSame && before !== undefined ? Math.min(before, heart.world.changes) : heart.world.changes;
      memory.heart = { ...heart, world: { ...heart.world, changes } };
      setRecent(measured, key, changes, MAX_MEASURED);
    },
    onUnheard() {
      memory.heart = { ...memory.heart, stage: unheard(memory.heart.stage, levels) };
    },
    onOpinion: (event) => opinions && hearOpinion(opinions, run, event),
    takeQuestion() {
      const taken = question;
      question = undefined;
      return taken;
    },
    allow(loop) {
      const { stage } = memory.heart;
      const about = [...findings].filter(([, finding]) => finding.loop === loop).map(([each]) => each);
      const loops = stage.at === "quiet" ? [] : stage.calls.filter((each) => about.includes(each.about));
      forget();
      return loops.map(({ step }) => String(step.call));
    },
  };
}

/** Notes what a step added to the evidence that its own call is repeated. */
function noteRepeat(judged: Judged, { all = [] }: Observed): void {
  const repeat = all.find(({ kind, isOtherForm }) => kind === "repeated-call" && isOtherForm !== true);
  if (repeat === undefined) return;
  judged.repeats = repeat.count;
  judged.added = repeat.added ?? 0;
  judged.reason = repeat.reason;
}
