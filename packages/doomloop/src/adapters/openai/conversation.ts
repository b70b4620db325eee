import { MESSAGE_PREFIX } from "../../core/message-prefix.ts";
import type { HostRun } from "../host/host-run.ts";
import { answerAround, hasResult, isStartOfAnswer, openCallsOf } from "./answers.ts";
import { createBoundedMap } from "./bounded-map.ts";
import { createNewsFinder } from "./news-finder.ts";
import { type CallPart, type Entry, type Part, readItems } from "./read-items.ts";
import { answerTo, messageOf, withWords } from "./write-items.ts";

/** One conversation: its lists go in, each as long as it is by then. */
export interface Conversation {
  /** Observes what is new, and writes into the list: answers to blocked calls, and words. Returns the answers. */
  observe(items: unknown[]): object[];
}

/** Follows one conversation for one run of the guard. */
export function createConversation(run: HostRun): Conversation {
  const news = createNewsFinder();
  /** Calls that were seen before they ran, and calls that wait for their result to be seen with it. */
  const open = createBoundedMap<CallPart | "asked" | undefined>();
  /** Our own answers to calls, and words behind results, by call: a list that was made anew lacks them. */
  const answers = createBoundedMap<string>();
  const said = createBoundedMap<{ readonly words: string; readonly before: string }>();

  const observePart = (part: Part, hasCalls: boolean, isOpen: (id: string) => boolean): void => {
    if (part.type === "text" && !hasCalls) run.text(part.text);
    if (part.type === "compaction") run.compaction();
    if (part.type === "past") {
      run.past({
        id: part.id,
        tool: part.name,
        args: part.args,
        output: part.output,
        error: part.isError || undefined,
      });
    }
    if (part.type === "call") observeCall(part, isOpen(part.id));
    if (part.type === "result") observeResult(part.id, part.output);
  };

  const observeCall = (part: CallPart, isOpen: boolean): void => {
    const { id, name: tool, args } = part;
    // What was answered already, or cannot be answered with text, is seen with its result.
    if (!isOpen || !part.canAnswer) {
      open.set(id, part);
      return;
    }
    const answer = run.call({ id, tool, args });
    if (answer.action === "run") open.set(id, "asked");
    else answers.set(id, answer.message);
  };

  const observeResult = (id: string, output: unknown): void => {
    const call = open.get(id);
    open.set(id, undefined);
    if (answers.has(id) || call === undefined) return;
    if (call === "asked") void run.result({ id, output });
    else run.past({ id, tool: call.name, args: call.args, output });
  };

  const observeNew = (entries: readonly Entry[]): void => {
    const { start, isCompacted } = news.find(entries);
    if (isCompacted) run.compaction();
    const openIds = new Set(openCallsOf(entries).map(({ id }) => id));
    for (let at = start; at < entries.length; at++) {
      const { isModel, parts } = entries[at]!;
      const isAnswer = isModel && isStartOfAnswer(entries, at);
      // Words that nobody read before the model answered again are about the past.
      if (isAnswer) run.words();
      if (isAnswer) run.round();
      const hasCalls = isModel && answerAround(entries, at).some(({ type }) => type !== "text");
      for (const part of parts) {
        if (part.type !== "user") observePart(part, hasCalls, (id) => openIds.has(id));
        else if (isUsersTurn(entries, at, part.text)) run.user(part.text);
      }
    }
    // After an end, whatever the user says next goes on, also in a list of which nothing is left.
    const isAsked = entries.at(-1)?.parts.some(({ type }) => type === "user");
    if (isCompacted && isAsked && run.stopped() !== undefined) run.user();
    news.noteAll(entries);
  };

  /** A user message right behind a result does not tell: it may be a reminder that the loop adds each time, or our own words. */
  const isUsersTurn = (entries: readonly Entry[], at: number, text: string): boolean => {
    if (text.startsWith(MESSAGE_PREFIX)) return false;
    const before = entries.slice(0, at).findLast(({ parts }) => !parts.some(({ type }) => type === "user"));
    return run.stopped() !== undefined || before?.parts.some(({ type }) => type === "result") !== true;
  };

  /** Answers the open calls that are not to run: those that were blocked, and after the end of the run all of them. */
  const answerCalls = (items: unknown[], entries: readonly Entry[]): object[] => {
    const made: object[] = [];
    for (const call of openCallsOf(entries)) {
      const { id, canAnswer } = call;
      const text = answers.get(id) ?? (canAnswer ? run.stopped()?.message : undefined);
      if (text === undefined) continue;
      answers.set(id, text);
      made.push(answerTo(call, text));
    }
    items.push(...made);
    return made;
  };

  /** Words go behind the latest result, which is valid in both formats; without one they are a message. */
  const placeWords = (items: unknown[]): void => {
    const entries = readItems(items);
    if (entries.at(-1)?.isModel !== false || openCallsOf(entries).length > 0 || run.stopped() !== undefined) return;
    const words = run.words();
    if (words === undefined) return;
    for (let at = entries.length - 1; at >= 0 && entries[at]?.isModel === false; at--) {
      const { item, parts } = entries[at]!;
      const spoken = withWords(item, words);
      if (spoken === undefined) continue;
      items[at] = spoken;
      for (const part of parts) {
        if (part.type === "result") said.set(part.id, { words, before: JSON.stringify(part.output) });
      }
      return;
    }
    items.push(messageOf(words));
  };

  /** Puts words back into a list that was made anew, and takes our answers out of it where the call was answered in spite of them. */
  const repair = (items: unknown[]): void => {
    const entries = readItems(items);
    for (let at = entries.length - 1; at >= 0; at--) {
      const { item, parts } = entries[at]!;
      for (const part of parts) {
        if (part.type !== "result") continue;
        const spoken = said.get(part.id);
        if (spoken !== undefined && spoken.before === JSON.stringify(part.output))
          items[at] = withWords(item, spoken.words) ?? item;
        const isOurs = answers.has(part.id) && part.output === answers.get(part.id);
        if (isOurs && entries.some((other) => other.item !== item && hasResult(other, part.id))) items.splice(at, 1);
      }
    }
  };

  return {
    observe(items) {
      repair(items);
      const entries = readItems(items);
      observeNew(entries);
      const made = answerCalls(items, entries);
      placeWords(items);
      return made;
    },
  };
}
