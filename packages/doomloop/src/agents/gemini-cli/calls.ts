import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { createSeenIds, type RunEvents } from "../../transcripts/run-events.ts";
import { shellReport } from "../../transcripts/shell-report.ts";

/** Takes calls and results, which stand in a message's `toolCalls`, in parts of the next message, and in both again later. */
export interface Calls {
  takeCalls(calls: readonly unknown[], at: number | undefined): void;
  takeParts(parts: readonly unknown[], at: number | undefined): void;
}

export function createCalls(run: RunEvents): Calls {
  const called = createSeenIds();
  const answered = createSeenIds();

  const call = (id: string | undefined, tool: unknown, args: unknown, at: number | undefined): void => {
    const name = textOf(tool);
    if (name !== undefined && (id === undefined || called.add(id))) run.call(id, name, args, at);
  };

  const result = (id: string | undefined, response: unknown, status: unknown, at: number | undefined): void => {
    if (id !== undefined && (!called.has(id) || !answered.add(id))) return;
    const { output, error: told } = recordOf(response) ?? {};
    const report = shellReport(output ?? told ?? response);
    const isFailed = status === "error" || (output === undefined && told !== undefined);
    const error = isFailed ? true : report.error;
    run.result(id, report.output, { error, at, synthetic: status === "cancelled" ? true : undefined });
  };

  return {
    takeCalls(calls, at) {
      const records = calls.map(recordOf).filter((entry) => entry !== undefined);
      for (const { id, name, args } of records) call(textOf(id), name, args, at);
      for (const entry of records) {
        const response = responseOf(entry);
        if (response !== undefined) result(textOf(entry.id), response, entry.status, timeOf(entry.timestamp));
      }
    },
    takeParts(parts, at) {
      for (const part of parts) {
        const { functionCall, functionResponse } = recordOf(part) ?? {};
        const made = recordOf(functionCall);
        if (made !== undefined) call(textOf(made.id), made.name, made.args, at);
        const given = recordOf(functionResponse);
        if (given !== undefined) result(textOf(given.id), given.response, undefined, at);
      }
    },
  };
}

function responseOf(call: ForeignRecord): unknown {
  const [first] = listOf(call.result);
  return recordOf(recordOf(first)?.functionResponse)?.response ?? (textOf(call.result) || undefined);
}
