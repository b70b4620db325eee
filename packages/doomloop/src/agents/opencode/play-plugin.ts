import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { TRIAL_TIME } from "../doctor/agent-doctor.ts";
import type { Said } from "../doctor/try-loop.ts";
import type { PluginOrder, PluginTrial } from "./agent.ts";
import type { OpencodeHooks, OpencodeInput } from "./plugin.ts";

/** Loads a plugin as opencode would, and makes the same call again and again. A separate program, because what it loads may hang. */
const TOOL = "bash";
const ARGS = { command: "cat notes.md" };
const OUTPUT = "nothing found";

const { module, directory, session, laps, lapMs } = (await json(process.stdin)) as PluginOrder;
const { doomloop } = (await import(pathToFileURL(module).href)) as {
  doomloop(input: OpencodeInput): Promise<Partial<OpencodeHooks>>;
};
const hooks = await doomloop({ directory, client: { session: { abort: async () => {} } } });
process.stdout.write(`${JSON.stringify(await play(hooks))}\n`);

async function play(hooks: Partial<OpencodeHooks>): Promise<PluginTrial> {
  const times: number[] = [];
  const found: { nudge?: Said; block?: Said } = {};
  const { "tool.execute.before": before, "tool.execute.after": after } = hooks;
  if (before === undefined || after === undefined) return { times, fault: "the package that it loads is not there" };
  const begin = Date.now();
  for (let call = 1; call <= laps && found.block === undefined; call++) {
    Object.assign(globalThis, { [TRIAL_TIME]: begin + call * lapMs });
    const moment = { tool: TOOL, sessionID: session, callID: `call_${call}` };
    const refusal = await timed(times, () => before(moment, { args: ARGS }));
    if (refusal !== undefined) found.block = { call, words: refusal };
    const result = { output: OUTPUT as unknown, metadata: { exit: 0 } };
    if (refusal === undefined) await timed(times, () => after({ ...moment, args: ARGS }, result));
    if (result.output !== OUTPUT) found.nudge ??= { call, words: String(result.output).slice(OUTPUT.length).trim() };
  }
  return { ...found, times };
}

/** Runs an action, and returns what it throws. A plugin refuses by throwing. */
async function timed(times: number[], action: () => Promise<void>): Promise<string | undefined> {
  const start = performance.now();
  try {
    await action();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    times.push(performance.now() - start);
  }
}
