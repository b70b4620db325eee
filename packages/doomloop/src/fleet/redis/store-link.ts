import { safely } from "../../core/faults.ts";
import { isOverdue } from "../is-overdue.ts";
import type { FleetWatch } from "./fleet-watch.ts";
import { type Command, type RedisCommands, toError } from "./redis-commands.ts";
import { errorIn, foreignKeys, printableReason } from "./replies.ts";

/** `connecting`: it was not heard of yet. */
export type StoreState = "connecting" | "connected" | "away";

/** Why the store could not be asked. */
export interface StoreFault {
  readonly kind: "timeout" | "failed";
  readonly reason: string;
}

/** What came of one group of commands: a reply for each, some of them errors of the server, or why there is none. */
export type GroupAnswer = readonly unknown[] | Error;

/** Asks the store, and knows whether it answers. */
export type StoreLink = ReturnType<typeof createStoreLink>;

/** One slow answer is no outage. */
const FAULTS_UNTIL_AWAY = 2;
const ENDED: StoreFault = { kind: "failed", reason: "the fleet is closed" };
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

export function createStoreLink(commands: RedisCommands, deadlineMs: number, watch: FleetWatch, onBack: () => void) {
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
     * Sends groups of commands, each about one slot. `take` gets what comes of each group, whenever it comes. What is returned tells how
     * it stands when all has come, or after the deadline: a late reply is late, and no reason to drop a connection.
     */
    async ask(groups: readonly (readonly Command[])[], take: (answer: GroupAnswer, group: number) => void) {
      if (ended.signal.aborted) return ENDED;
      const start = performance.now();
      /** What is asked is told by its first command. */
      const what = groups[0]?.[0]?.[0] ?? "";
      let hasAnswered = false;
      let isRefused = false;
      let failure: Error | undefined;
      const asked = groups.map(async (group, at) => {
        const answer = await answerOf(commands, group);
        if (answer instanceof Error) failure ??= answer;
        else {
          hasAnswered = true;
          const refusal = errorIn(answer);
          isRefused ||= refusal !== undefined;
          if (refusal !== undefined) watch.refused(what, refusal);
          onReply();
          // What somebody else wrote into our keys is thrown away.
          const foreign = foreignKeys(group, answer);
          if (foreign.length > 0) void answerOf(commands, [["UNLINK", ...foreign]]);
        }
        safely(() => take(answer, at));
      });
      const isLate = await isOverdue(Promise.all(asked), deadlineMs, ended.signal);
      const late: StoreFault = { kind: "timeout", reason: `no reply within ${deadlineMs} ms` };
      const failed = failure && ({ kind: "failed", reason: printableReason(failure) } satisfies StoreFault);
      const fault = failed ?? (isLate ? late : undefined);
      // A part of a Cluster may be away while the rest answers.
      if (fault !== undefined && !hasAnswered) onFault(fault);
      if (fault === undefined && !isRefused) watch.taken(what);
      watch.answered(performance.now() - start, fault);
      return fault;
    },
    state: () => state,
    /** From now on the store is away, whatever still comes of it. It is not asked, and nobody waits for it: a deadline would keep the process. */
    end(): void {
      state = "away";
      ended.abort();
    },
    /** How long to leave the store alone: a full-jitter pause that grows with each fault in a row; 0 if there was none. */
    pauseMs: () => (faults === 0 ? 0 : Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** faults)),
  };
}

/** What was refused as a whole is as good as not answered: no rights, a server that loads its data, or is busy with a script. */
async function answerOf(commands: RedisCommands, group: readonly Command[]): Promise<GroupAnswer> {
  try {
    const replies = await commands.send(group);
    if (replies.length !== group.length) return new Error("replies are missing");
    return replies.some((reply) => !(reply instanceof Error)) ? replies : (errorIn(replies) ?? replies);
  } catch (fault) {
    return toError(fault);
  }
}
