import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { keeperOf } from "../../host/kept-guard.ts";
import { isAnswered, openCallsOf } from "./answers.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { type Entry, readItems } from "./items.ts";

/** The type of the calls in a list of messages or items. */
export type CallIn<Item> = Item extends { type: "function_call" | "custom_tool_call" }
  ? Item
  : "tool_calls" extends keyof Item
    ? Item["tool_calls"] extends readonly (infer Call)[] | undefined
      ? Call
      : never
    : never;

/** What to do next in a conversation. */
interface Observed<Item> {
  /** The calls of the latest answer that you should run. Blocked calls are left out. */
  readonly calls: CallIn<Item>[];
  /** The results of blocked calls, in the order of the calls. They are already in the list. */
  readonly answers: Item[];
  /** Whether the conversation is over: the model answered without a call, or the guard ended the run. */
  readonly isOver: boolean;
  /** Why the guard ended the run, if it did. Show its `explanation` to people. */
  readonly stopped: LoopStop | undefined;
}

/**
 * Observes a conversation. Call it before each request with the list that you send, and after each answer with the answer added.
 *
 * It writes into the list: results of blocked calls at the end, and words into the latest result. Pass a `key` if the list is not the
 * same array throughout the conversation: a text, or an object that lives as long as the conversation.
 */
export type ObserveMessages = <Item>(items: Item[], key?: string | object) => Observed<Item>;

/**
 * Creates a guard for loops over Chat Completions messages or Responses items. One guard serves any number of conversations.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function observeMessages(options: HostOptions = {}): ObserveMessages {
  const runs = createHostRuns(options, { nudge: "message", block: true, stop: "clean" });
  const only =
    options.guard === undefined ? undefined : createConversation(runs.start(), { keeper: keeperOf(options.guard) });
  const conversations = new WeakMap<HostRun, Conversation>();

  const of = (key: string | object): Conversation => {
    if (only !== undefined) {
      // Several names mean several runs. This call reports that, because one guard cannot watch several.
      if (typeof key === "string") runs.of(key);
      return only;
    }
    const run = runs.of(key);
    const conversation = conversations.get(run) ?? createConversation(run);
    conversations.set(run, conversation);
    return conversation;
  };

  return <Item>(items: Item[], key: string | object = items) => {
    const observed = runs.withFallback<Pick<Observed<Item>, "answers" | "stopped">>(
      { answers: [], stopped: undefined },
      () => {
        const conversation = of(key);
        const answers = conversation.observe(items) as Item[];
        return { answers, stopped: conversation.stopped() };
      },
    );
    const entries = runs.withFallback<Entry[]>([], () => readItems(items));
    const calls = openCallsOf(entries).filter(({ canAnswer }) => canAnswer);
    const isOver = observed.stopped !== undefined || isAnswered(entries);
    return { ...observed, calls: calls.map(({ call }) => call as CallIn<Item>), isOver };
  };
}
