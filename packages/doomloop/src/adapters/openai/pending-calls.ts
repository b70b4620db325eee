import type { HostRun } from "../../host/host-run.ts";
import type { CallPart } from "./read-items.ts";

/** The calls that wait for their results. */
export interface PendingCalls {
  /** An answer of the model's begins. */
  round(): void;
  /** A call that may still be refused. Returns the words of one that is. */
  ask(call: CallPart): string | undefined;
  /** A call that is seen with its result: it has one already, or cannot be refused. */
  wait(call: CallPart): undefined;
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

/** Follows the calls of one conversation. Several may wait under one id: those of the latest answer are meant, in their order. */
export function createPendingCalls(runNow: () => HostRun): PendingCalls {
  const pending: Pending[] = [];
  let latest: string[] = [];
  let round = 0;

  const add = (id: string, end: Pending["end"]): void => {
    latest.push(id);
    pending.push({ id, round, end });
    if (pending.length > MAX_PENDING) pending.shift();
  };

  return {
    round() {
      round++;
      latest = [];
    },
    ask({ id, name: tool, args }) {
      const isTaken = id === "" || latest.includes(id);
      const run = runNow();
      const answer = run.call({ id: isTaken ? undefined : id, tool, args });
      const isRefused = answer.action !== "run";
      add(id, (output) => void (isRefused || run.result({ id: answer.id, output, isLate: true })));
      return isRefused ? answer.message : undefined;
    },
    wait({ id, name: tool, args }) {
      const isTaken = id === "" || latest.includes(id);
      add(id, (output) => runNow().past({ id: isTaken ? undefined : id, tool, args, output }));
      return undefined;
    },
    result(id, output) {
      const last = pending.findLast((call) => call.id === id);
      const at = pending.findIndex((call) => call.id === id && call.round === last?.round);
      pending.splice(at, at < 0 ? 0 : 1)[0]?.end(output);
    },
    countOf: (id) => latest.filter((other) => other === id).length,
  };
}
