import { stateFolder } from "../../system/state-folder.ts";
import { answerEvent } from "../hook/handle-hook-event.ts";
import type { OpencodeAnswer } from "./hook.ts";

interface DoomloopOptions {
  /**
   * Nobody watches: calls may be refused, and sessions aborted.
   * @default false
   */
  readonly unattended?: boolean;
}

/** How long to wait for others that write the same journal. opencode waits for its plugins all that time. */
const BUDGET_MS = 200;

/**
 * Creates the plugin for opencode. A file in opencode's folder of plugins exports it:
 * `export const doomloop = createDoomloop();`
 *
 * It answers in opencode's own process, and saves runs in the same place as the hooks of other agents.
 */
export function createDoomloop({ unattended = false }: DoomloopOptions = {}) {
  return async ({ client, directory }: OpencodeInput): Promise<OpencodeHooks> => {
    const state = stateFolder({ env: process.env, platform: process.platform });
    /** Words about failed calls. Those have no result to append them to, so they go with the next result. */
    const held = new Map<string, string>();
    const ask = (event: string, told: object): OpencodeAnswer | undefined =>
      answerEvent(
        { event, directory, ...told },
        { host: "opencode", isUnattended: unattended, state, budgetMs: BUDGET_MS },
      ).output as OpencodeAnswer | undefined;
    const stop = async (id: string): Promise<void> =>
      void (await client.session.abort({ path: { id } }).catch(() => {}));

    return {
      async "tool.execute.before"({ tool, sessionID, callID }, { args }) {
        const answer = ask("tool.execute.before", { tool, sessionID, callID, args });
        if (answer === undefined || !("refusal" in answer)) return;
        if (answer.stop) await stop(sessionID);
        // This is how a plugin refuses a call.
        throw new Error(answer.refusal);
      },
      async "tool.execute.after"({ tool, sessionID, callID, args }, result) {
        const { output, metadata } = result;
        const answer = ask("tool.execute.after", { tool, sessionID, callID, args, output, metadata });
        if (answer !== undefined && "stop" in answer) await stop(sessionID);
        const words = [held.get(sessionID), answer && "words" in answer ? answer.words : undefined].filter(Boolean);
        held.delete(sessionID);
        if (words.length > 0 && typeof output === "string") result.output = [output, ...words].join("\n\n");
      },
      async "chat.message"({ sessionID }, { parts }) {
        const text = parts
          .map(({ type, text }) => (type === "text" ? text : undefined))
          .find((text) => text !== undefined);
        ask("chat.message", { sessionID, text });
      },
      async event({ event }) {
        const { part, sessionID } = event.properties ?? {};
        if (event.type === "session.compacted") ask("session.compacted", { sessionID });
        if (event.type !== "message.part.updated" || part?.type !== "tool" || part.state?.status !== "error") return;
        const {
          tool,
          callID,
          state: { input: args, error },
        } = part;
        const answer = ask("tool.error", { sessionID: part.sessionID, tool, callID, args, error });
        if (answer !== undefined && "words" in answer && part.sessionID !== undefined)
          held.set(part.sessionID, answer.words);
      },
    };
  };
}

/** What opencode passes to a plugin: the part that ours needs. */
export interface OpencodeInput {
  readonly client: {
    readonly session: { abort(options: { readonly path: { readonly id: string } }): Promise<unknown> };
  };
  readonly directory: string;
}

interface ToolMoment {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

interface OpencodeEvent {
  readonly type: string;
  readonly properties?: {
    readonly sessionID?: string;
    readonly part?: {
      readonly type: string;
      readonly sessionID?: string;
      readonly tool?: string;
      readonly callID?: string;
      readonly state?: { readonly status: string; readonly input?: unknown; readonly error?: unknown };
    };
  };
}

/** The functions of a plugin that opencode calls. */
export interface OpencodeHooks {
  "tool.execute.before"(input: ToolMoment, output: { readonly args: unknown }): Promise<void>;
  "tool.execute.after"(
    input: ToolMoment & { readonly args?: unknown },
    output: { output: unknown; readonly metadata?: unknown },
  ): Promise<void>;
  "chat.message"(
    input: { readonly sessionID: string },
    output: { readonly parts: readonly { readonly type: string; readonly text?: string }[] },
  ): Promise<void>;
  event(input: { readonly event: OpencodeEvent }): Promise<void>;
}
