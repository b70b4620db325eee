import type { HostRun } from "../../host/host-run.ts";
import { isRefusal, withoutOwnWords } from "../../host/own-words.ts";
import type { CallPart } from "./read-items.ts";

/** The calls that wait for their results. */
export interface PendingCalls {
  /** An answer of the model's begins. */
  round(): void;
  /** A call that is made, or was. Returns the words of one that is refused. */
  ask(call: CallPart, hasRun: boolean): string | undefined;
  /** A call that cannot be refused, and is seen with its result. */
  wait(call: CallPart): void;
  result(id: string, output: unknown): void;
  /** How many calls of the latest answer have this id. */
  countOf(id: string): number;
}

interface Pending {
  readonly id: string;
  readonly round: number;
  readonly end: (output: unknown) => void;
}

const MAX_PENDING = 1000;

/**
 * Follows the calls of one conversation. Several may wait under one id: those of the latest answer are meant, in their order. A result that
 * none of them waits for may belong to a call of another process, which the run knows by its id; if it does not, the guard tells of it.
 */
export function createPendingCalls(run: HostRun): PendingCalls {
  const pending: Pending[] = [];
  let latest: string[] = [];
  let round = 0;

  const add = (id: string, end: Pending["end"]): void => {
    latest.push(id);
    pending.push({ id, round, end });
    if (pending.length > MAX_PENDING) pending.shift();
  };

  const end = (id: string, output: unknown): void =>
    void run.result({ id, output: withoutOwnWords(output), isLate: true, isRefusal: isRefusal(output) });

  return {
    round() {
      round++;
      latest = [];
    },
    ask({ id, name: tool, args }, hasRun) {
      const isTaken = id === "" || latest.includes(id);
      const answer = run.call({ id: isTaken ? undefined : id, tool, args, hasRun });
      const isRefused = answer.action !== "run";
      add(id, (output) => void (isRefused || end(answer.id, output)));
      return isRefused ? answer.message : undefined;
    },
    wait({ id, name: tool, args }) {
      const isTaken = id === "" || latest.includes(id);
      add(id, (output) => run.past({ id: isTaken ? undefined : id, tool, args, output: withoutOwnWords(output) }));
    },
    result(id, output) {
      const last = pending.findLast((call) => call.id === id);
      const at = pending.findIndex((call) => call.id === id && call.round === last?.round);
      if (at >= 0) pending.splice(at, 1)[0]!.end(output);
      else end(id, output);
    },
    countOf: (id) => latest.filter((other) => other === id).length,
  };
}
