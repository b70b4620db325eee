import { isObject } from "../../core/identity/read-object.ts";
import type { HostOptions } from "../../host/host-options.ts";
import { DoomloopError } from "../../index.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { guardRunner } from "./guard-runner.ts";
import { guardTools } from "./guard-tool.ts";
import { noteRun, runOf } from "./loop-stop.ts";
import type { MessageParamLike, RunnerLike, ToolLike } from "./messages.ts";

/**
 * Guards a tool runner before it is started: `guard(client.beta.messages.toolRunner({ ... }))`.
 *
 * Returns the same runner with its tools guarded, to be awaited or iterated as before. A stop ends its loop before the next
 * request, when all calls of the last answer are answered. Without options, it uses those of its guarded tools, if it has any.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard<Runner extends RunnerLike>(runner: Runner, options?: HostOptions): Runner;
/**
 * Guards a hand-written loop over `client.messages.create` or `stream`. Pass the list of messages that you send.
 *
 * A list that another process began shows what the model was told, so its run resumes. Words that are due are written into its last
 * result. A guard of yours that already knows the run is not told again.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard(messages: MessageParamLike[], options?: HostOptions): Conversation;
/**
 * Guards the tools of one run, for a runner of any kind: `tools: guard(tools)`.
 *
 * Tools cannot end a run, so a stop is a block. If you guard their runner too, it takes over these tools and options, with one guard for
 * each runner.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard<const Tool extends ToolLike>(tools: readonly Tool[], options?: HostOptions): Tool[];
export function guard(given: unknown, options?: HostOptions): unknown {
  if (isRunner(given)) return guardRunner(given, options);
  if (!Array.isArray(given))
    throw new DoomloopError(
      "invalid-option",
      `guard: a tool runner, a list of messages or a list of tools is required, got ${typeof given}`,
    );
  if (given.some(isMessage)) return createConversation(given, options);
  return given.length === 0 ? asEither(createConversation(given, options)) : guardTools(given, options);
}

function isRunner(given: unknown): given is RunnerLike {
  return isObject(given) && typeof (given as Partial<RunnerLike>).setMessagesParams === "function";
}

/** Tools have no role. */
function isMessage(entry: unknown): boolean {
  return isObject(entry) && "role" in entry;
}

/** An empty list has no messages yet, or no tools. What is returned for it can be used as either. */
function asEither(conversation: Conversation): object {
  const list: never[] = [];
  for (const [name, value] of Object.entries(conversation)) Object.defineProperty(list, name, { value });
  noteRun(list, runOf(conversation));
  return list;
}
