import { NOT_RUN } from "../../core/messages/wording.ts";
import type { MessageLike, ToolCallLike } from "./messages.ts";

/**
 * The tool that answers blocked calls. Blocked calls have this name while LangChain carries out an answer.
 *
 * A call of an unknown tool would not run either, but LangChain would answer it with "not a valid tool". That is untrue, and users would
 * read it in the stream.
 */
const BLOCKED = "blocked_by_doomloop";

/** A blocked call. It carries its original tool and its answer, because another process may carry it out. */
interface BlockedCall extends ToolCallLike {
  readonly doomloop?: { readonly tool?: unknown; readonly words?: unknown };
}

/** Changes a call so that it is answered with these words. */
export function block(call: ToolCallLike, words: string): ToolCallLike {
  const blocked: BlockedCall = { ...call, name: BLOCKED, doomloop: { tool: call.name, words } };
  return blocked;
}

/** Restores a call as the model made it. */
export function unblock(call: ToolCallLike): ToolCallLike {
  const { doomloop, ...made }: BlockedCall = call;
  return made.name === BLOCKED && typeof doomloop?.tool === "string" ? { ...made, name: doomloop.tool } : call;
}

/** The tools of a request without ours. Only LangChain uses that tool; the model must not see it. */
export function withoutBlockedTool<Request extends { readonly tools?: readonly unknown[] }>(request: Request): Request {
  const { tools } = request;
  const others = tools?.filter((tool) => (tool as { name?: unknown } | null)?.name !== BLOCKED);
  return others === undefined || others.length === tools?.length ? request : { ...request, tools: others };
}

/** Removes our tool from the list of tools in LangChain's answer to a call of an unknown tool. Undefined if our tool is not in it. */
export function withoutBlockedName({ content, status }: MessageLike): string | undefined {
  if (status !== "error" || typeof content !== "string" || !content.includes(BLOCKED)) return undefined;
  return content.replace(`, ${BLOCKED}`, "").replace(`${BLOCKED}, `, "");
}

/** Creates the tool. LangChain recognises it by `lc_runnable` alone. */
export function blockedTool(): object {
  return {
    lc_runnable: true,
    name: BLOCKED,
    description: "Answers calls that doomloop does not let run.",
    schema: { type: "object", properties: {} },
    async invoke(call: BlockedCall, config?: { readonly state?: { readonly messages?: readonly MessageLike[] } }) {
      const { id: tool_call_id = "", doomloop } = call;
      const content = typeof doomloop?.words === "string" ? doomloop.words : NOT_RUN;
      const name = typeof doomloop?.tool === "string" ? doomloop.tool : call.name;
      // An instance of LangChain's own class, which has a name and a status. There is one, because a call is blocked only after earlier results.
      const Result = config?.state?.messages?.findLast(({ type }) => type === "tool")?.constructor;
      if (Result === undefined) return content;
      return new (Result as new (fields: object) => object)({ content, tool_call_id, name, status: "error" });
    },
  };
}
