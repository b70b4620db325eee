import { digestOf } from "../../core/identity/digest.ts";
import { readCall } from "../../core/progress/read-call.ts";
import type { Effect } from "../../core/progress/read-command.ts";
import type { SavedHostRun } from "../../host/host-run.ts";
import { contentId, type HookAnswer, type HookCall, type HookMoment } from "./dialect.ts";
import { readCheck } from "./read-check.ts";
import type { RollbackMoment } from "./rollback.ts";

type Facts = Pick<RollbackMoment, "call" | "check" | "writing" | "hasOpenCalls">;

/** Calls that change no files. What changes meanwhile is somebody else's work. */
const HARMLESS: ReadonlySet<Effect> = new Set<Effect>(["look", "watch", "wait"]);

/** What an event says about the files of a run. */
export function rollbackFacts(moment: HookMoment, answer: HookAnswer, { names, refused }: SavedHostRun): Facts {
  const call = callIn(moment);
  return {
    call: call && keyOf(call),
    check:
      moment.type === "result" ? readCheck({ ...moment.call, output: moment.output, error: moment.error }) : undefined,
    writing: writingIn(moment, answer),
    hasOpenCalls: names.open.some(([name]) => !refused.includes(name)),
  };
}

/** The same for a command however it is described, and with or without `| tail`. */
function keyOf({ tool, args }: HookCall): string {
  const { command } = readCall(tool, args);
  return command === undefined ? contentId(tool, args) : digestOf(`command ${command}`);
}

function callIn(moment: HookMoment): HookCall | undefined {
  if (moment.type === "call" || moment.type === "result") return moment.call;
  return moment.type === "batch" ? moment.results.at(-1)?.call : undefined;
}

function writingIn(moment: HookMoment, answer: HookAnswer): Facts["writing"] {
  switch (moment.type) {
    case "call":
      return mayWrite(moment.call) && answer.type !== "refusal" ? "begins" : undefined;
    case "result":
      return mayWrite(moment.call) ? "ends" : undefined;
    case "batch":
      return moment.results.some(({ call }) => mayWrite(call)) ? "ends" : undefined;
    default:
      return undefined;
  }
}

/** Whether a call may change files. */
export function mayWrite({ tool, args }: HookCall): boolean {
  return !HARMLESS.has(readCall(tool, args).effect);
}
