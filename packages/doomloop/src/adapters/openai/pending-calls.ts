import type { HostRun } from "../../host/host-run.ts";
import { isRefusal, withoutOwnWords } from "../../host/own-words.ts";
import type { CallPart } from "./items.ts";

/** The calls that have no result yet. */
export interface PendingCalls {
  /** An answer of the model begins. */
  round(): void;
  /** A call that is made now, or was made. Returns the words if it is refused. */
  ask(call: CallPart, hasRun: boolean): string | undefined;
  /** A call that cannot be refused, and is observed with its result. */
  wait(call: CallPart): void;
  result(id: string, output: unknown, isError?: boolean): void;
  /** How many calls of the latest answer have this id. */
  countOf(id: string): number;
}

interface Pending {
  readonly id: string;
  readonly round: number;
  readonly end: (output: unknown, isError?: boolean) => void;
}

const MAX_PENDING = 1000;

/**
 * Follows the calls of one conversation. If several have one id, a result belongs to those of the latest answer, in their order. A result
 * without a pending call may belong to a call of another process, which the run knows by its id. If the run does not know it, the guard reports that.
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

  const end = (id: string, output: unknown, error?: boolean): void =>
    void run.result({ id, output: withoutOwnWords(output), error, isLate: true, isRefusal: isRefusal(output) });

  return {
    round() {
      round++;
      latest = [];
    },
    ask({ id, name: tool, args }, hasRun) {
      const isTaken = id === "" || latest.includes(id);
      const answer = run.call({ id: isTaken ? undefined : id, tool, args, hasRun });
      const isRefused = answer.action !== "run";
      add(id, (output, isError) => void (isRefused || end(answer.id, output, isError)));
      return isRefused ? answer.message : undefined;
    },
    wait({ id, name: tool, args }) {
      const isTaken = id === "" || latest.includes(id);
      add(id, (output, error) =>
        run.past({ id: isTaken ? undefined : id, tool, args, output: withoutOwnWords(output), error }),
      );
    },
    result(id, output, isError) {
      const last = pending.findLast((call) => call.id === id);
      const at = pending.findIndex((call) => call.id === id && call.round === last?.round);
      if (at >= 0) pending.splice(at, 1)[0]!.end(output, isError);
      else end(id, output, isError);
    },
    countOf: (id) => latest.filter((other) => other === id).length,
  };
}
