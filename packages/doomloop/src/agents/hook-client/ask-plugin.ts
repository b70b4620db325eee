import { TRIAL_FIELD, TRIAL_TIME } from "../doctor/agent-doctor.ts";
import { askResident } from "./ask-resident.ts";

/** How a plugin that an agent loads into its own process was wired. */
export interface PluginWiring {
  /** The folder of what hooks keep. */
  readonly state: string;
  /** Where Node is, which starts the resident guard. An agent may be a program of its own. */
  readonly node: string;
  readonly mode?: "attended" | "unattended";
  readonly startsOver?: boolean;
}

/** The agent waits for its plugins all that time. */
const TIMEOUT_MS = 1_000;

/** Hands an event to the resident guard, for a plugin. Undefined if there is nothing to say, or nobody to ask. Never rejects. */
export async function askPlugin<Answer>(
  host: string,
  event: object,
  wiring: PluginWiring,
): Promise<Answer | undefined> {
  const { state, node, mode, startsOver } = wiring;
  if (process.env.DOOMLOOP === "off") return undefined;
  try {
    const chosen = new URLSearchParams({ ...(mode && { mode }), ...(startsOver === true && { "start-over": "1" }) });
    const path = `/hook/${host}?${chosen}`;
    const answer = await askResident({
      state,
      node,
      path,
      body: JSON.stringify({ ...event, [TRIAL_FIELD]: (globalThis as { [TRIAL_TIME]?: number })[TRIAL_TIME] }),
      timeoutMs: TIMEOUT_MS,
    });
    return answer ? (JSON.parse(answer) as Answer) : undefined;
  } catch {
    return undefined;
  }
}
