import { safely } from "../../core/faults.ts";
import { isStoreRefusal } from "../store.ts";
import { type FleetWatch, printableReason } from "./fleet-watch.ts";

/** `connecting`: the store has not answered yet. */
export type StoreState = "connecting" | "connected" | "away";

/** Why an exchange with the store failed. */
export interface StoreFault {
  readonly kind: "timeout" | "failed";
  readonly reason: string;
}

/** Asks the store, and knows whether it answers. */
export type StoreLink = ReturnType<typeof createStoreLink>;

/** A single slow answer is not an outage. */
const FAULTS_UNTIL_AWAY = 2;
const ENDED: StoreFault = { kind: "failed", reason: "the fleet is closed" };
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

export function createStoreLink(deadlineMs: number, watch: FleetWatch, onBack: () => void) {
  let state: StoreState = "connecting";
  let faults = 0;
  let awaySince = 0;
  const ended = new AbortController();

  const onFault = ({ reason }: StoreFault): void => {
    faults++;
    if (state === "away" || faults < FAULTS_UNTIL_AWAY) return;
    state = "away";
    awaySince = performance.now();
    watch.notify({ kind: "store-away", reason });
  };

  const onReply = (): void => {
    if (ended.signal.aborted) return;
    const wasAway = state === "away";
    state = "connected";
    faults = 0;
    if (!wasAway) return;
    watch.notify({ kind: "store-back", awayMs: Math.round(performance.now() - awaySince) });
    onBack();
  };

  return {
    /**
     * Asks several questions of one kind at once. `take` receives each answer, or why there is none, even after the deadline. Returns when
     * all answers have come or the deadline has passed, with the fault if there was one. A late answer is no reason to drop the connection.
     */
    async ask<Answer extends object>(
      what: string,
      questions: readonly (() => Promise<Answer>)[],
      take: (answer: Answer | Error, at: number) => void,
    ): Promise<StoreFault | undefined> {
      if (ended.signal.aborted) return ENDED;
      const start = performance.now();
      let hasAnswered = false;
      let isRefused = false;
      let failure: Error | undefined;
      const asked = questions.map(async (question, at) => {
        const answer = await answerTo(question);
        const refusal = refusalIn(answer);
        if (answer instanceof Error && refusal === undefined) failure ??= answer;
        else {
          hasAnswered = true;
          isRefused ||= refusal !== undefined;
          if (refusal !== undefined) watch.refused(what, refusal);
          onReply();
        }
        safely(() => take(answer, at));
      });
      const isLate = await isOverdue(Promise.all(asked), deadlineMs, ended.signal);
      const late: StoreFault = { kind: "timeout", reason: `no reply within ${deadlineMs} ms` };
      const failed = failure && ({ kind: "failed", reason: printableReason(failure) } satisfies StoreFault);
      const fault = failed ?? (isLate ? late : undefined);
      // Part of a Cluster may be away while the rest answers.
      if (fault !== undefined && !hasAnswered) onFault(fault);
      if (fault === undefined && !isRefused) watch.taken(what);
      watch.answered(performance.now() - start, fault);
      return fault;
    },
    state: () => state,
    /** Treats the store as away from now on, and stops waiting for replies: a pending deadline would keep the process alive. */
    end(): void {
      state = "away";
      ended.abort();
    },
    /** How long to leave the store alone: a pause with full jitter that grows with each fault in a row; 0 after a success. */
    pauseMs: () => (faults === 0 ? 0 : Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** faults)),
  };
}

/** A store is foreign code: it may throw at once, or answer nothing. */
async function answerTo<Answer extends object>(question: () => Promise<Answer>): Promise<Answer | Error> {
  try {
    return (await question()) ?? new Error("the store answered nothing");
  } catch (fault) {
    return fault instanceof Error ? fault : new Error(String(fault));
  }
}

/** Why the store refused a question, or a part of it. */
function refusalIn(answer: object): Error | undefined {
  if (answer instanceof Error) return isStoreRefusal(answer) ? answer : undefined;
  const { refusal } = answer as { readonly refusal?: unknown };
  return refusal instanceof Error ? refusal : undefined;
}

/**
 * Whether work takes longer than the deadline, or is still going on when `ended` fires. If this process itself was too busy to run the
 * timer in time, it first takes up what has arrived meanwhile, so that its own delay does not look like the store's.
 */
export async function isOverdue(work: Promise<unknown>, deadlineMs: number, ended?: AbortSignal): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp = (): void => {};
  const late = new Promise<boolean>((resolve) => {
    giveUp = () => resolve(true);
    timer = setTimeout(() => setImmediate(giveUp), deadlineMs);
    ended?.addEventListener("abort", giveUp, { once: true });
  });
  const isLate = await Promise.race([work.then(() => false), late]);
  clearTimeout(timer);
  ended?.removeEventListener("abort", giveUp);
  return isLate;
}
