import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { keeperOf } from "../../host/kept-guard.ts";
import { isAnswered, openCallsOf } from "./answers.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { type Entry, readItems } from "./read-items.ts";

/** The type of the calls in a list of messages or items. */
export type CallIn<Item> = Item extends { type: "function_call" | "custom_tool_call" }
  ? Item
  : "tool_calls" extends keyof Item
    ? Item["tool_calls"] extends readonly (infer Call)[] | undefined
      ? Call
      : never
    : never;

/** What is to be done about a conversation. */
export interface Observed<Item> {
  /** The calls of the latest answer that are to be run. Blocked ones are not among them. */
  readonly calls: CallIn<Item>[];
  /** The results of blocked calls, in the order of the calls. The list holds them already. */
  readonly answers: Item[];
  /** Whether there is nothing more to ask the model: it answered without a call, or the run was ended. */
  readonly isOver: boolean;
  /** Why the run was ended, if the guard ended it: to route on, and to show `explanation` to people. */
  readonly stopped: LoopStop | undefined;
}

/**
 * Observes a conversation: call it before each request with the list that is sent, and after each answer with the answer in it.
 *
 * Writes into the list: results of blocked calls at its end, and words behind its latest result. `key` names the conversation
 * where its list is not one and the same array throughout: a text, or an object that lives as long as it.
 */
export type ObserveMessages = <Item>(items: Item[], key?: string | object) => Observed<Item>;

/**
 * Makes a guard for loops over Chat Completions messages or Responses items. One serves any number of conversations.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function observeMessages(options: HostOptions = {}): ObserveMessages {
  const runs = createHostRuns(options, { nudge: "message", block: true, stop: "clean" });
  const only = options.guard === undefined ? undefined : createConversation(runs.start(), keeperOf(options.guard));
  const conversations = new WeakMap<HostRun, Conversation>();

  const of = (key: string | object): Conversation => {
    if (only !== undefined) {
      // Several names are several runs, and the guard is told to be one.
      if (typeof key === "string") runs.of(key);
      return only;
    }
    const run = runs.of(key);
    const conversation = conversations.get(run) ?? createConversation(run);
    conversations.set(run, conversation);
    return conversation;
  };

  return <Item>(items: Item[], key: string | object = items) => {
    const observed = runs.safely<Pick<Observed<Item>, "answers" | "stopped">>(
      { answers: [], stopped: undefined },
      () => {
        const conversation = of(key);
        const answers = conversation.observe(items) as Item[];
        return { answers, stopped: conversation.stopped() };
      },
    );
    const entries = runs.safely<Entry[]>([], () => readItems(items));
    const calls = openCallsOf(entries).filter(({ canAnswer }) => canAnswer);
    const isOver = observed.stopped !== undefined || isAnswered(entries);
    return { ...observed, calls: calls.map(({ call }) => call as CallIn<Item>), isOver };
  };
}
