import { askPlugin } from "../hook-client/ask-plugin.ts";
import type { OpencodeAnswer } from "./hook.ts";

interface DoomloopOptions {
  /** The folder of what hooks keep. */
  readonly state: string;
  /** Where Node is, which starts the resident guard. */
  readonly node: string;
  /**
   * Whether somebody watches. If nobody does, calls may be refused, and sessions aborted.
   * @default "attended"
   */
  readonly mode?: "attended" | "unattended";
  /**
   * Whether a run gets a second chance before it is ended.
   * @default false
   */
  readonly startsOver?: boolean;
}

/** Failed calls whose words are remembered. */
const MAX_FAILED = 500;

/**
 * Creates the plugin for opencode. The file that `doomloop init` writes into opencode's folder of plugins exports it. It hands every event
 * to the resident guard.
 */
export function createDoomloop(options: DoomloopOptions) {
  return async ({ client, directory }: OpencodeInput): Promise<OpencodeHooks> => {
    /** Calls that have begun and have no result yet. */
    const open = new Set<string>();
    /** What is said about failed calls, by the id of the call. A failed call has no result to append words to. */
    const failed = new Map<string, Promise<string | undefined>>();
    /** Failed calls whose words no request has contained yet, by session. */
    const held = new Map<string, string[]>();
    /** What the model has said in this turn, by session. */
    const said = new Map<string, string>();
    /** Reports of ended turns that have no answer yet, by session. Another plugin may start the next turn at once. */
    const ended = new Map<string, Promise<unknown>>();

    const ask = (event: string, told: object) =>
      askPlugin<OpencodeAnswer>("opencode", { event, directory, ...told }, options);
    const stop = async (id: string): Promise<void> =>
      void (await client.session.abort({ path: { id } }).catch(() => {}));

    const fail = async ({ tool, sessionID = "", callID = "", state }: ToolPart): Promise<string | undefined> => {
      const { input: args, error } = state ?? {};
      const answer = await ask("tool.error", { sessionID, tool, callID, args, error });
      if (answer !== undefined && "stop" in answer) await stop(sessionID);
      if (answer === undefined || !("words" in answer)) return undefined;
      held.set(sessionID, [...(held.get(sessionID) ?? []), callID]);
      return answer.words;
    };

    /** Reports a failed call once, whichever event comes first. Returns what is said about it. */
    const wordsAbout = (part: ToolPart): Promise<string | undefined> | undefined => {
      const { callID = "", state } = part;
      if (part.type !== "tool" || state?.status !== "error") return undefined;
      if (open.delete(callID)) failed.set(callID, fail(part));
      if (failed.size > MAX_FAILED) failed.delete(failed.keys().next().value!);
      return failed.get(callID);
    };

    const takeHeld = async (sessionID: string): Promise<readonly (string | undefined)[]> => {
      const calls = held.get(sessionID) ?? [];
      held.delete(sessionID);
      return Promise.all(calls.map((callID) => failed.get(callID)));
    };

    const endTurn = async (sessionID: string): Promise<void> => {
      const text = said.get(sessionID);
      // The message may be updated again.
      if (!said.delete(sessionID)) return;
      const report = ask("session.idle", { sessionID, text });
      ended.set(sessionID, report);
      await report;
      if (ended.get(sessionID) === report) ended.delete(sessionID);
    };

    return {
      async "tool.execute.before"({ tool, sessionID, callID }, { args }) {
        open.add(callID);
        const answer = await ask("tool.execute.before", { tool, sessionID, callID, args });
        if (answer === undefined || !("refusal" in answer)) return;
        if (answer.stop) await stop(sessionID);
        // This is how a plugin refuses a call.
        throw new Error(answer.refusal);
      },
      async "tool.execute.after"({ tool, sessionID, callID, args }, result) {
        open.delete(callID);
        const { output, metadata } = result;
        const answer = await ask("tool.execute.after", { tool, sessionID, callID, args, output, metadata });
        if (answer !== undefined && "stop" in answer) await stop(sessionID);
        const own = answer && "words" in answer ? answer.words : undefined;
        const words = [...(await takeHeld(sessionID)), own].filter((said) => said !== undefined);
        if (words.length > 0 && typeof output === "string") result.output = [output, ...words].join("\n\n");
      },
      // opencode reads its messages anew for each request, so words are added to each.
      async "experimental.chat.messages.transform"(_input, { messages }) {
        for (const { parts } of messages) {
          for (const [at, part] of parts.entries()) {
            const words = await wordsAbout(part);
            if (words === undefined) continue;
            const { state, sessionID = "" } = part;
            parts[at] = { ...part, state: { ...state!, error: `${state?.error}\n\n${words}` } };
            held.delete(sessionID);
          }
        }
      },
      async "chat.message"({ sessionID }, { parts }) {
        await ended.get(sessionID);
        const part = parts.find(({ type, text }) => type === "text" && text !== undefined);
        const answer = await ask("chat.message", { sessionID, text: part?.text });
        if (answer === undefined) return;
        // Ids are sorted, and this part belongs after the other.
        if ("words" in answer && part !== undefined)
          parts.push({ ...part, id: `${part.id}x`, text: answer.words, synthetic: true });
        if (!("refusal" in answer)) return;
        // Nobody sees what is thrown here, only that there was an error.
        client.tui?.showToast({ body: { message: answer.refusal, variant: "warning" } }).catch(() => {});
        throw new Error(answer.refusal);
      },
      async "experimental.text.complete"({ sessionID }, { text }) {
        said.set(sessionID, text);
      },
      async event({ event }) {
        const { part, sessionID, info } = event.properties ?? {};
        if (event.type === "session.compacted") await ask("session.compacted", { sessionID });
        if (event.type === "message.updated" && isLastAnswer(info)) await endTurn(info.sessionID);
        if (event.type === "message.part.updated" && part !== undefined) await wordsAbout(part);
      },
    };
  };
}

/** Whether a turn ends with this message. `opencode run` exits as soon as the session is idle, so that event would come too late. */
function isLastAnswer(message: OpencodeMessage | undefined): message is OpencodeMessage {
  return message?.finish !== undefined && message.finish !== "tool-calls";
}

/** What opencode passes to a plugin: the part that ours needs. */
export interface OpencodeInput {
  readonly client: {
    readonly session: { abort(options: { readonly path: { readonly id: string } }): Promise<unknown> };
    readonly tui?: {
      showToast(options: {
        readonly body: { readonly message: string; readonly variant: "warning" };
      }): Promise<unknown>;
    };
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
    readonly part?: ToolPart;
    readonly info?: OpencodeMessage;
  };
}

/** A message. `finish`: why the model stopped, if it is one of the model's and complete. */
interface OpencodeMessage {
  readonly sessionID: string;
  readonly finish?: string;
}

/** A part of a message: the call of a tool, if its type says so. */
export interface ToolPart {
  readonly type: string;
  readonly sessionID?: string;
  readonly tool?: string;
  readonly callID?: string;
  readonly state?: { readonly status: string; readonly input?: unknown; readonly error?: unknown };
}

/** A part of a prompt. `synthetic`: neither the user nor the model wrote it. */
interface PromptPart {
  readonly type: string;
  readonly id?: string;
  readonly text?: string;
  readonly synthetic?: boolean;
}

/** The functions of a plugin that opencode calls. */
export interface OpencodeHooks {
  "tool.execute.before"(input: ToolMoment, output: { readonly args: unknown }): Promise<void>;
  "tool.execute.after"(
    input: ToolMoment & { readonly args?: unknown },
    output: { output: unknown; readonly metadata?: unknown },
  ): Promise<void>;
  "experimental.chat.messages.transform"(
    input: unknown,
    output: { readonly messages: readonly { readonly parts: ToolPart[] }[] },
  ): Promise<void>;
  "chat.message"(input: { readonly sessionID: string }, output: { readonly parts: PromptPart[] }): Promise<void>;
  "experimental.text.complete"(input: { readonly sessionID: string }, output: { readonly text: string }): Promise<void>;
  event(input: { readonly event: OpencodeEvent }): Promise<void>;
}
