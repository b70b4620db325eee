import { existsSync } from "node:fs";
import { join } from "node:path";
import { readOwnFile } from "../../system/private-files.ts";
import { askResident } from "../hook-client/ask-resident.ts";
import { OLDEST_NODE, RESIDENT_LOG } from "../hook-client/resident-address.ts";
import { forgetStart, isStarting } from "../hook-client/start-resident.ts";
import { programsIn } from "../settings/hook-command.ts";
import type { WiredCommand } from "./agent-doctor.ts";
import { type LoopTrial, type ProgramCall, runProcess } from "./try-loop.ts";

const PAUSE_MS = 100;
const MAX_LOG_BYTES = 200_000;
/** An entry in the resident's log begins with its time. The lines of a stack trace do not. */
const ENTRY = /^(\d{4}-\d\d-\d\dT[\d:.]{8,16}Z) (.{1,300})/;

/** A trial, and why no resident could answer it. */
interface ResidentTrial {
  readonly trial: LoopTrial;
  readonly faults: readonly string[];
}

/**
 * Tries a hook that has to start the resident itself, because none may stand in for the one that it starts. A slow machine takes longer to
 * start it than an agent waits for an event, so the hook is tried again once it is there.
 */
export async function tryWithResident(state: string, attempt: () => Promise<LoopTrial>): Promise<ResidentTrial> {
  const begin = Date.now();
  // A start that failed within the last minute would not be tried again.
  forgetStart(state);
  const wasThere = await isThere(state);
  const first = await attempt();
  if (wasThere) return { trial: first, faults: [] };
  while (isStarting(state)) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  if (await isThere(state)) return { trial: await attempt(), faults: [] };
  if (first.nudge !== undefined || first.fault !== undefined) return { trial: first, faults: [] };
  const cause = causeIn(readOwnFile(join(state, RESIDENT_LOG), MAX_LOG_BYTES) ?? "", begin);
  return { trial: first, faults: [`the resident guard does not start${cause === undefined ? "" : `: ${cause}`}`] };
}

/**
 * What is wrong with the script that a command runs, or with the Node that it starts the resident with. While a resident runs, a trial does
 * not need Node.
 */
export async function programFault(
  { command }: WiredCommand,
  where: Pick<ProgramCall, "cwd" | "env">,
): Promise<string[]> {
  const { script, node } = programsIn(command);
  if (script !== undefined && !existsSync(script))
    return [`the hook needs ${script}, which is gone; doomloop init repairs it`];
  if (node === undefined) return [];
  const { stdout } = await runProcess({ file: node, words: ["--version"], ...where });
  const [version, major] = /^v(\d{1,4})\.[\w.-]{1,40}/.exec(stdout) ?? [];
  if (version === undefined) return [`the hook needs ${node}, which is gone or does not run; doomloop init repairs it`];
  return Number(major) >= OLDEST_NODE
    ? []
    : [`the hook needs Node ${OLDEST_NODE} or later, and ${node} is ${version}; doomloop init repairs it`];
}

async function isThere(state: string): Promise<boolean> {
  return (await askResident({ state, method: "GET", path: "/status", timeoutMs: 1_000 })) !== undefined;
}

/** The latest entry since a time. */
function causeIn(log: string, since: number): string | undefined {
  const entries = log.split("\n").flatMap((line) => {
    const [, at = "", words = ""] = ENTRY.exec(line) ?? [];
    return Date.parse(at) >= since ? [words.replace(/^Error: /, "")] : [];
  });
  return entries.at(-1);
}
