import { isAbsolute } from "node:path";
import { stateFolder } from "../../system/state-folder.ts";
import { askPlugin } from "../hook-client/ask-plugin.ts";
import type { OpenclawAnswer } from "./hook.ts";

const MAX_SESSIONS = 1000;
/** The latest run of each session. OpenClaw registers a plugin several times, so the map is outside of it. */
const runs = new Map<string, string>();

/** The plugin for OpenClaw, which loads it from the package (`openclaw plugins install --link`). It hands every event to the resident guard. */
const plugin = {
  id: "doomloop",
  name: "doomloop",
  description: "Notices when the agent goes in circles, and tells it",
  register(api: OpenclawApi): void {
    const state = stateFolderOf(api);
    const mode = api.pluginConfig?.unattended === true ? ("unattended" as const) : undefined;
    const options = { state, node: process.execPath, ...(mode && { mode }) };
    const ask = async (event: string, told: object, { sessionId, runId }: OpenclawContext) => {
      if (sessionId === undefined) return undefined;
      if (isNewRun(sessionId, runId)) await askPlugin("openclaw", { event: "run", sessionId, ...told }, options);
      return askPlugin<OpenclawAnswer>("openclaw", { event, sessionId, ...told }, options);
    };

    api.on(
      "before_tool_call",
      quietly(async ({ toolName, toolCallId, params }, context) => {
        const told = { toolName, toolCallId, args: params, cwd: context.workspaceDir };
        const answer = await ask("before_tool_call", told, context);
        if (answer === undefined || !("refusal" in answer)) return undefined;
        if (answer.stop) await abort(context);
        return { block: true, blockReason: answer.refusal } as const;
      }),
    );
    api.on(
      "after_compaction",
      quietly(async (_event, context) => void (await ask("after_compaction", {}, context))),
    );
    // OpenClaw leaves this one out, unless the user lets the plugin read what the model says.
    api.on(
      "before_agent_finalize",
      quietly(async ({ lastAssistantMessage }, context) => {
        const told = { text: lastAssistantMessage, cwd: context.workspaceDir };
        const answer = await ask("before_agent_finalize", told, context);
        if (answer === undefined || "refusal" in answer) return undefined;
        return "stop" in answer ? { action: "finalize" } : { action: "revise", reason: answer.words };
      }),
    );
    api.registerAgentToolResultMiddleware(
      quietly(async (event, context) => {
        const { toolName, toolCallId, args, cwd, isError, result } = event;
        const told = { toolName, toolCallId, args, cwd, isError, output: textIn(event) };
        const answer = await ask("tool_result", told, context);
        if (answer !== undefined && "stop" in answer) await abort(context);
        if (answer === undefined || !("words" in answer)) return undefined;
        return { result: { ...result, content: [...result.content, { type: "text", text: answer.words }] } };
      }),
      { runtimes: ["openclaw"] },
    );
  },
};

// biome-ignore lint/style/noDefaultExport: OpenClaw takes the default export of a plugin.
export default plugin;

/**
 * The folder of what hooks keep: the usual one, or the one that the user's settings name. The environment is not asked, because OpenClaw
 * loads the `.env` of a workspace into it.
 */
function stateFolderOf({ pluginConfig }: OpenclawApi): string {
  const named = pluginConfig?.state;
  if (typeof named === "string" && isAbsolute(named)) return named;
  return stateFolder({ env: {}, platform: process.platform });
}

/** Swallows our own faults, because OpenClaw takes a fault for a refusal. */
function quietly<Event, Answer>(
  handler: (event: Event, context: OpenclawContext) => Promise<Answer>,
): (event: Event, context: OpenclawContext) => Promise<Answer | undefined> {
  return async (event, context) => {
    try {
      return await handler(event, context);
    } catch {
      return undefined;
    }
  };
}

function isNewRun(session: string, run: string | undefined): boolean {
  if (run === undefined || runs.get(session) === run) return false;
  runs.delete(session);
  runs.set(session, run);
  if (runs.size > MAX_SESSIONS) runs.delete(runs.keys().next().value!);
  return true;
}

/** The part that the model reads. Times and counts are in other fields. */
function textIn({ result }: OpenclawResultEvent): unknown {
  const { content } = result;
  return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\n") : content;
}

/** Ends a run. In versions without this function, the calls of the loop stay refused. */
async function abort({ sessionId }: OpenclawContext): Promise<void> {
  try {
    // The name is computed, because the module exists only within OpenClaw.
    const name = "openclaw/plugin-sdk/agent-harness";
    const { abortAgentHarnessRun } = (await import(name)) as { abortAgentHarnessRun(sessionId?: string): unknown };
    abortAgentHarnessRun(sessionId);
  } catch {
    // This version does not have it.
  }
}

/** The session and run of an event. */
export interface OpenclawContext {
  readonly sessionId?: string | undefined;
  readonly runId?: string | undefined;
  readonly workspaceDir?: string | undefined;
}

interface ToolCall {
  readonly toolName: string;
  readonly toolCallId?: string | undefined;
}

/** The result of a tool. */
interface OpenclawResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export interface OpenclawResultEvent extends ToolCall {
  readonly args: object;
  readonly cwd?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly result: OpenclawResult;
}

/** What OpenClaw passes to a plugin: the part that ours needs. */
export interface OpenclawApi {
  readonly pluginConfig?: Readonly<Record<string, unknown>> | undefined;
  on(
    event: "before_tool_call",
    handler: (
      call: ToolCall & { readonly params: object },
      context: OpenclawContext,
    ) => Promise<{ readonly block: true; readonly blockReason: string } | undefined>,
  ): void;
  on(
    event: "before_agent_finalize",
    handler: (
      event: { readonly lastAssistantMessage?: string | undefined },
      context: OpenclawContext,
    ) => Promise<{ readonly action: "finalize" } | { readonly action: "revise"; readonly reason: string } | undefined>,
  ): void;
  on(event: "after_compaction", handler: (event: object, context: OpenclawContext) => Promise<unknown>): void;
  registerAgentToolResultMiddleware(
    handler: (
      event: OpenclawResultEvent,
      context: OpenclawContext,
    ) => Promise<{ readonly result: OpenclawResult } | undefined>,
    options: { readonly runtimes: readonly ["openclaw"] },
  ): void;
}
