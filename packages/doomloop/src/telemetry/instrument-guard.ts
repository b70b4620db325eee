import type { Decision } from "../core/decision.ts";
import type { AgentEvent, OpinionEvent } from "../core/event.ts";
import type { Question } from "../core/question.ts";
import type { GuardStats } from "../core/stats.ts";
import { isOldNews } from "../host/loop-stop.ts";
import type { Guard } from "../index.ts";
import { ATTRIBUTES, OTHER } from "./attributes.ts";
import type { Instruments } from "./instruments.ts";
import type { DecisionRecorder } from "./record-decision.ts";

/** A guard whose work is counted. It decides exactly as the guard that it wraps. */
export interface InstrumentedGuard extends Guard {
  /**
   * Reports the tokens of a model answer. Events carry no usage, so call this once for each answer; otherwise tokens after
   * onset are not counted. Never throws.
   */
  addTokens(usage: TokenUsage): void;
}

interface GuardMeasure {
  readonly instruments: Instruments;
  readonly recorder: DecisionRecorder;
  /** Runs an action that may throw, and keeps what it throws from the guard. */
  readonly safely: (action: () => void) => void;
}

/** `stats()` makes a copy, so it is read only once per this many calls, unless the run was nudged. */
const CALLS_PER_READ = 16;

/** Wraps the guard of one run, and counts what it sees and decides. */
export function instrumentGuard(guard: Guard, { instruments, recorder, safely }: GuardMeasure): InstrumentedGuard {
  const episode = createLoopEpisode();
  const opinions = createOpinionCount(guard, instruments);
  let known = guard.stats();
  let calls = 0;
  // A run that resumes from a snapshot may have been nudged before.
  let hasBeenNudged = known.decisions.nudge > 0;
  let hasLooped = false;

  const count = (decision: Decision): void => {
    hasBeenNudged ||= decision.action === "nudge";
    recorder.record(instruments, decision);
    // A dead end of the swarm is not a loop of this run.
    if (decision.finding?.kind === "fleet") return;
    if (!hasLooped) instruments.loopingRuns.add(1);
    hasLooped = true;
    countCost(instruments, episode.found());
    if (decision.action === "restart") episode.end();
  };

  /** The guard knows only some rounds later whether a nudge was obeyed. */
  const readStats = (): void => {
    const now = guard.stats();
    const before = known;
    known = now;
    increase(now.nudges.obeyed - before.nudges.obeyed, (by) =>
      instruments.nudges.add(by, { [ATTRIBUTES.nudgeOutcome]: "obeyed" }),
    );
    increase(now.nudges.ignored - before.nudges.ignored, (by) =>
      instruments.nudges.add(by, { [ATTRIBUTES.nudgeOutcome]: "ignored" }),
    );
    increase(now.faults - before.faults, (by) => instruments.faults.add(by));
    // A loop may show without a decision.
    if (hasLooped && showings(now) > showings(before)) countCost(instruments, episode.found());
  };

  const measure = (event: AgentEvent, decision: Decision): void => {
    const type = typeOf(event);
    if (decision.question !== undefined) opinions.asked(decision.question);
    if (type === "opinion") opinions.answered((event as OpinionEvent).question);
    const isFound = decision.finding !== undefined && !isOldNews(decision);
    // Read the statistics before counting this call: what they show belongs to the last result, and this call may not be part of the loop.
    if (type === "call" && !isFound && (hasBeenNudged || calls % CALLS_PER_READ === CALLS_PER_READ - 1)) readStats();
    if (type === "call") {
      instruments.calls.add(1);
      episode.call();
      calls++;
    }
    if (type === "user") episode.end();
    if (!isFound) return;
    // Afterwards the statistics would show this loop once more.
    readStats();
    count(decision);
  };

  safely(() => instruments.runs.add(1));
  return {
    observe(event) {
      const decision = guard.observe(event);
      safely(() => measure(event, decision));
      return decision;
    },
    call: guard.call,
    peek: (event) => guard.peek(event),
    allow(finding) {
      guard.allow(finding);
      safely(() => instruments.allowed.add(1));
    },
    reset() {
      guard.reset();
      episode.end();
    },
    stats: () => guard.stats(),
    snapshot: () => guard.snapshot(),
    addTokens: (usage) => safely(() => episode.tokens(usage)),
  };
}

const ANSWERS = ["stuck", "working", "unsure", "late"] as const satisfies readonly (keyof GuardStats["opinions"])[];

/** Counts questions to a second opinion, and how the guard took the answers. */
function createOpinionCount(guard: Guard, instruments: Instruments) {
  let known = guard.stats().opinions;
  let latest: Question | undefined;
  return {
    asked(question: Question): void {
      latest = question;
      instruments.questions.add(1, { [ATTRIBUTES.questionReason]: question.why });
    },
    answered(question: unknown): void {
      const before = known;
      known = guard.stats().opinions;
      const reason = latest?.id === question && latest !== undefined ? latest.why : OTHER;
      for (const verdict of ANSWERS)
        increase(known[verdict] - before[verdict], (by) =>
          instruments.opinions.add(by, {
            [ATTRIBUTES.questionReason]: reason,
            [ATTRIBUTES.opinionVerdict]: verdict,
          }),
        );
    },
  };
}

/** How often loops of the run itself were seen. */
function showings({ findings }: GuardStats): number {
  return Object.entries(findings).reduce((sum, [kind, count]) => (kind === "fleet" ? sum : sum + count), 0);
}

function countCost({ onsetCalls, onsetTokens }: Instruments, { calls, input, output }: EpisodeCost): void {
  increase(calls, (by) => onsetCalls.add(by));
  increase(input, (by) => onsetTokens.add(by, { [ATTRIBUTES.tokenType]: "input" }));
  increase(output, (by) => onsetTokens.add(by, { [ATTRIBUTES.tokenType]: "output" }));
}

/** An event may be anything. If reading it throws, the guard reports that. */
function typeOf(event: AgentEvent): AgentEvent["type"] | undefined {
  try {
    return event?.type;
  } catch {
    return undefined;
  }
}

/** A counter can only increase. */
function increase(by: number, add: (by: number) => void): void {
  if (by > 0) add(by);
}

/** The tokens of one or more model answers, as the provider reports them. */
interface TokenUsage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
}

/** What a loop has cost since its last finding. */
interface EpisodeCost {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
}

/** Measures what a run spends on a loop after the loop was first found. */
interface LoopEpisode {
  call(): void;
  tokens(usage: TokenUsage): void;
  /** A loop was found. Returns what was spent since the last finding; nothing if the loop has only just begun. */
  found(): EpisodeCost;
  /** The user spoke, or the run starts over. Whatever comes next does not continue the loop. */
  end(): void;
}

/** After this many calls without a finding, a loop is over. A nudge counts as obeyed after five rounds. */
const MAX_GAP = 16;

/**
 * Creates the measure of one run.
 *
 * Spending counts only when the next finding shows that the loop went on. An agent that obeys a nudge costs nothing more,
 * whatever it does next.
 */
function createLoopEpisode(): LoopEpisode {
  let isOpen = false;
  let calls = 0;
  let input = 0;
  let output = 0;

  const begin = (isLooping: boolean): void => {
    isOpen = isLooping;
    calls = 0;
    input = 0;
    output = 0;
  };

  return {
    call() {
      if (!isOpen) return;
      calls++;
      if (calls > MAX_GAP) begin(false);
    },
    tokens(usage) {
      if (!isOpen) return;
      input += amount(usage.input);
      output += amount(usage.output);
    },
    found() {
      const cost = { calls, input, output };
      begin(true);
      return cost;
    },
    end: () => begin(false),
  };
}

function amount(tokens: unknown): number {
  return typeof tokens === "number" && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}
