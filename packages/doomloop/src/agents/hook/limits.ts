import { digestOf } from "../../core/identity/digest.ts";
import type { HookCall, HookInput, HookMoment } from "./dialect.ts";

const MAX_ID = 256;
const MAX_FOLDER = 4_096;
const FIRST_PRINTABLE = 32;

/** An event without ids and paths that no agent has. What is kept of a run stays small, whoever writes the event. */
export function withinLimits(input: HookInput): HookInput {
  const { session, agent, folder, moment } = input;
  return {
    ...input,
    session: shortId(session),
    agent: agent && shortId(agent),
    folder: folder !== undefined && isFolder(folder) ? folder : undefined,
    moment: withShortIds(moment),
  };
}

function withShortIds(moment: HookMoment): HookMoment {
  if (moment.type === "call" || moment.type === "result") return { ...moment, call: withShortId(moment.call) };
  if (moment.type !== "batch") return moment;
  return { ...moment, results: moment.results.map((result) => ({ ...result, call: withShortId(result.call) })) };
}

function withShortId(call: HookCall): HookCall {
  return call.id.length > MAX_ID ? { ...call, id: shortId(call.id) } : call;
}

function shortId(id: string): string {
  return id.length > MAX_ID ? digestOf(id) : id;
}

function isFolder(path: string): boolean {
  if (path.length > MAX_FOLDER) return false;
  for (let at = 0; at < path.length; at++) if (path.charCodeAt(at) < FIRST_PRINTABLE) return false;
  return true;
}
