import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { keeperOf } from "../../host/kept-guard.ts";
import { latestUserText } from "../../host/user-text.ts";
import { DoomloopError } from "../../index.ts";
import { isAnswered, openCallsOf } from "./answers.ts";
import { createConversation } from "./conversation.ts";
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
}

/**
 * Observes one conversation. Call it before each request, and after each answer when you have added the answer to the list.
 *
 * It writes into the list: results of blocked calls at the end, and words into the latest result. Pass a list if it is not the one that
 * `guard` got: a copy, a compacted one, or only what is new if the server keeps the rest.
 */
export type Observe<Item> = <Given = Item>(items?: Given[]) => Observed<Given>;

const stops = new WeakMap<object, () => LoopStop | undefined>();

/**
 * Guards a hand-written loop over Chat Completions messages or Responses items. Pass the list that you send. The function that it
 * returns is the conversation.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard<Item>(messages: Item[], options: HostOptions = {}): Observe<Item> {
  if (!Array.isArray(messages))
    throw new DoomloopError("invalid-option", `guard: a list of messages or items is required, got ${typeof messages}`);
  const runs = createHostRuns(options, { nudge: "message", block: true, stop: "clean" });
  const run = runs.start();
  const conversation = createConversation(run, { keeper: keeperOf(options.guard) });
  let isBegun = false;

  const begin = (items: readonly unknown[]): void => {
    if (isBegun) return;
    isBegun = true;
    const isNew = readItems(items).every(
      ({ isModel, parts }) => !isModel && !parts.some(({ type }) => type === "result"),
    );
    if (isNew) runs.beginConversation(run, latestUserText(items));
  };

  const observe = <Given = Item>(items: Given[] = messages as unknown[] as Given[]): Observed<Given> => {
    const answers = runs.withFallback<object[]>([], () => {
      begin(items);
      return conversation.observe(items);
    });
    const entries = runs.withFallback<Entry[]>([], () => readItems(items));
    const calls = openCallsOf(entries).filter(({ canAnswer }) => canAnswer);
    return {
      calls: calls.map(({ call }) => call as CallIn<Given>),
      answers: answers as Given[],
      isOver: conversation.stopped() !== undefined || isAnswered(entries),
    };
  };
  stops.set(observe, conversation.stopped);
  return observe;
}

/** Why the guard ended this run; undefined if it did not. Takes what `guard` returned. Words of the user take an end back. */
export function loopStop<Item>(observe: Observe<Item>): LoopStop | undefined {
  return stops.get(observe)?.();
}
