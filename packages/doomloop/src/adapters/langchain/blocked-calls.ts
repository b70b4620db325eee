import type { MessageLike, ToolCallLike } from "./messages.ts";

/**
 * The tool that answers blocked calls, and so their name while the host carries an answer out.
 *
 * A call of a tool that the host does not know would not run either, but the host answers it with "not a valid tool": untrue, and in the
 * stream for users to read.
 */
const BLOCKED = "blocked_by_doomloop";
const NOT_RUN = "[doomloop] This call was not run.";

/** A call that is blocked. What it was, and its answer, go along: another process may carry it out. */
interface BlockedCall extends ToolCallLike {
  readonly doomloop?: { readonly tool?: unknown; readonly words?: unknown };
}

/** A call as the host is to answer it: with these words. */
export function block(call: ToolCallLike, words: string): ToolCallLike {
  const blocked: BlockedCall = { ...call, name: BLOCKED, doomloop: { tool: call.name, words } };
  return blocked;
}

/** A call as the model made it. */
export function unblock(call: ToolCallLike): ToolCallLike {
  const { doomloop, ...made }: BlockedCall = call;
  return made.name === BLOCKED && typeof doomloop?.tool === "string" ? { ...made, name: doomloop.tool } : call;
}

/** The tools of a request without ours: it is for the host, and no model hears of it. */
export function withoutBlockedTool<Request extends { readonly tools?: readonly unknown[] }>(request: Request): Request {
  const { tools } = request;
  const others = tools?.filter((tool) => (tool as { name?: unknown } | null)?.name !== BLOCKED);
  return others === undefined || others.length === tools?.length ? request : { ...request, tools: others };
}

/** The host's list of tools in its answer to a call of a tool that it does not know. Returns the content without ours, if ours is in it. */
export function withoutBlockedName({ content, status }: MessageLike): string | undefined {
  if (status !== "error" || typeof content !== "string" || !content.includes(BLOCKED)) return undefined;
  return content.replace(`, ${BLOCKED}`, "").replace(`${BLOCKED}, `, "");
}

/** Makes the tool. It is the host's kind of tool by its mark alone. */
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
      // Of the host's own class, which takes a name and a status: a call is blocked for the results that were there before.
      const Result = config?.state?.messages?.findLast(({ type }) => type === "tool")?.constructor;
      if (Result === undefined) return content;
      return new (Result as new (fields: object) => object)({ content, tool_call_id, name, status: "error" });
    },
  };
}
