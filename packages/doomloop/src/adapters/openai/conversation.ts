import { setRecent } from "../../core/collections/bounded.ts";
import type { Digest } from "../../core/identity/digest.ts";
import type { LoopStop } from "../../host/host-options.ts";
import type { HostRun, Recalled } from "../../host/host-run.ts";
import type { Keeper } from "../../host/kept-guard.ts";
import { isRefusal } from "../../host/own-words.ts";
import {
  answerAround,
  callsAround,
  countResults,
  isAnswered,
  isLatestTurn,
  isStartOfAnswer,
  isUsersTurn,
  openCallsOf,
  recalledAt,
  resultsAround,
} from "./answers.ts";
import {
  answerTo,
  type CallPart,
  type Entry,
  messageOf,
  type Part,
  type ResultPart,
  readItems,
  withWords,
} from "./items.ts";
import { createPendingCalls } from "./pending-calls.ts";
import { createPlaces, type ListChange, startOfOpenAnswer } from "./places.ts";
import { countSeen, digestOfOutput, type SeenList, seenListOf } from "./seen-list.ts";

const MAX_REMEMBERED = 4000;

/** One conversation, which grows from list to list. */
export interface Conversation {
  /** Observes what is new, and writes into the list: answers to blocked calls, and words. Returns the answers. */
  observe(items: unknown[]): object[];
  /** The same step by step: a long list takes long. Nothing else may be observed in between. */
  observing(items: unknown[]): Iterator<void, object[]>;
  /** The end of the run, once it is decided. */
  stopped(): LoopStop | undefined;
}

export interface ConversationOptions {
  /** Saves how far the list was read, if another process resumes the conversation. */
  readonly keeper?: Keeper | undefined;
  /**
   * Appends words to a result. Returns undefined if it has no room for them.
   * @default as the wire format has them, with JSON left whole
   */
  readonly withWords?: (item: object, words: string) => object | undefined;
  /**
   * Whether words that no result can carry become a message of their own. If the caller does not keep the list, they cannot: the message
   * would be missing in the next one.
   * @default true
   */
  readonly mayAddMessage?: boolean;
}

/** What is known about all entries from one answer of the model to the next. Each is found out once: there may be thousands. */
interface Turn {
  readonly results: () => ReadonlyMap<Part, ResultPart>;
  /** Whether its answer contains anything but text and reasoning. */
  readonly hasMoreThanText: () => boolean;
  readonly recalled: () => Recalled;
}

interface EntryInTurn {
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly turn: Turn;
}

function turnAround(entries: readonly Entry[], at: number): Turn {
  return {
    results: once(() => resultsAround(entries, at)),
    hasMoreThanText: once(() => answerAround(entries, at).some(({ type }) => type !== "text" && type !== "reasoning")),
    recalled: once(() => recalledAt(entries, at)),
  };
}

function once<Value>(find: () => Value): () => Value {
  let found: { readonly value: Value } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** Follows one conversation. */
export function createConversation(run: HostRun, options: ConversationOptions = {}): Conversation {
  const { keeper, withWords: say = withWords, mayAddMessage = true } = options;
  let saved = keeper?.saved("list") as SeenList | undefined;
  let isFirstList = true;
  /** Kept only for the keeper: a list may be large. */
  let latest: readonly Entry[] | undefined;
  keeper?.keep("list", () => latest && seenListOf(latest));
  /** Whether the last list ended with an answer without calls or questions. */
  let wasAnswered = false;
  const places = createPlaces();
  const pending = createPendingCalls(run);
  /** Our answers to calls and our words in results, by place. A list that the caller built again lacks them. */
  const answers = new Map<number | undefined, string>();
  const said = new Map<number | undefined, { readonly words: string; readonly before: Digest }>();
  const ownTexts = new Map<unknown, true>();

  const observeCall = (call: CallPart, { entries, at, turn }: EntryInTurn): void => {
    if (!call.canAnswer) {
      pending.wait(call);
      return;
    }
    const result = turn.results().get(call);
    const mayRefuse = result === undefined ? isLatestTurn(entries, at) : isRefusal(result.output);
    const words = pending.ask(call, !mayRefuse);
    if (words !== undefined) setRecent(answers, places.of(call), words, MAX_REMEMBERED);
  };

  const observePart = (part: Part, entry: EntryInTurn): void => {
    const { entries, at, turn } = entry;
    if (part.type === "text") run.text(part.text, { partial: turn.hasMoreThanText() });
    if (part.type === "reasoning") run.reasoning(part.text);
    if (part.type === "compaction") run.compaction();
    if (part.type === "past") {
      const { id, name: tool, args, output, isError } = part;
      run.past({ id: id || undefined, tool, args, output, error: isError });
    }
    if (part.type === "result") pending.result(part.id, part.output, part.isError);
    if (part.type === "call") observeCall(part, entry);
    if (part.type === "user" && isUsersTurn(entries, at, run.stopped() !== undefined)) run.user(part.text);
  };

  const observeEntry = (entry: EntryInTurn): void => {
    const { entries, at } = entry;
    if (isStartOfAnswer(entries, at)) {
      // The model has answered without reading these words, and they are outdated now.
      run.words();
      run.round();
      pending.round();
    }
    for (const part of entries[at]!.parts) observePart(part, entry);
  };

  /** Skips what another process has already read. */
  const resume = (entries: readonly Entry[], seen: SeenList): void => {
    saved = undefined;
    const count = countSeen(entries, seen);
    wasAnswered = seen.isAnswered;
    places.noteAll(entries.slice(0, count ?? startOfOpenAnswer(entries)));
    if (count !== undefined) return;
    if (wasAnswered) run.user();
    else run.compaction();
  };

  const observeNew = function* (entries: readonly Entry[], { start, isCompacted, isNew }: ListChange) {
    // After a final answer, nothing is left to compact for, so this is the user.
    if (isNew && wasAnswered) run.user();
    else if (isCompacted) run.compaction();
    const present = entries.findLastIndex((_, at) => isStartOfAnswer(entries, at));
    const past = entries.slice(start, Math.max(start, present));
    // New calls before the latest answer are history. The list shows what was said about them, and their times are unknown.
    const isShownTold = isFirstList && recalledAt(entries, entries.length - 1) === "told";
    const isHistory = isShownTold || past.some(({ parts }) => parts.some(({ type }) => type === "call"));
    let turn: Turn | undefined;
    for (let at = start; at < entries.length; at++) {
      if (turn === undefined || isStartOfAnswer(entries, at)) turn = turnAround(entries, at);
      const entry = { entries, at, turn };
      if (isHistory) run.recall(turn.recalled(), () => observeEntry(entry));
      else observeEntry(entry);
      yield;
    }
    // After an end, any user message continues the run, even in a list without anything known.
    const isAsked = entries.at(-1)?.parts.some(({ type }) => type === "user");
    if (isCompacted && isAsked && run.stopped() !== undefined) run.user();
  };

  /** Answers the open calls that must not run: blocked calls, and after the end of the run all calls. */
  const answerCalls = (entries: readonly Entry[]): object[] =>
    openCallsOf(entries).flatMap((call) => {
      const place = places.of(call);
      const text = answers.get(place) ?? (call.canAnswer ? run.stopped()?.message : undefined);
      if (text === undefined) return [];
      setRecent(answers, place, text, MAX_REMEMBERED);
      setRecent(ownTexts, text, true, MAX_REMEMBERED);
      return [answerTo(call, text)];
    });

  /** A result without a place is our own answer, which is written again if it gets lost. */
  const remember = (place: number | undefined, words: string, output: unknown): void => {
    if (place !== undefined) setRecent(said, place, { words, before: digestOfOutput(output) }, MAX_REMEMBERED);
  };

  /** Appends words to the latest result, which is valid in both formats. Without a result, they become a message. */
  const placeWords = (items: unknown[], entries: readonly Entry[]): void => {
    if (entries.at(-1)?.isModel !== false || openCallsOf(entries).length > 0 || run.stopped() !== undefined) return;
    const words = run.words();
    if (words === undefined) return;
    for (let at = entries.length - 1; at >= 0 && entries[at]?.isModel === false; at--) {
      const { item, parts } = entries[at]!;
      const spoken = say(item, words);
      if (spoken === undefined) continue;
      items[at] = spoken;
      for (const part of parts) {
        if (part.type === "result") remember(places.of(part), words, part.output);
      }
      return;
    }
    if (mayAddMessage) items.push(messageOf(words));
  };

  /** Puts words back into a list that the caller built again. */
  const restoreWords = (items: unknown[], entries: Entry[]): void => {
    for (const [at, entry] of entries.entries()) {
      for (const part of entry.parts) {
        const spoken = said.get(places.of(part));
        if (spoken === undefined || part.type !== "result" || spoken.before !== digestOfOutput(part.output)) continue;
        const item = say(entry.item, spoken.words) ?? entry.item;
        items[at] = item;
        entries[at] = { ...entry, item };
      }
    }
  };

  /** Removes our answer to a call that the program ran anyway. */
  const removeOverriddenAnswers = (items: unknown[], entries: Entry[]): void => {
    for (let at = entries.length - 1; at >= 0; at--) {
      const own = entries[at]!.parts.find((part) => part.type === "result" && ownTexts.has(part.output));
      if (own?.type !== "result" || countResults(entries, at, own.id) <= countCalls(entries, at, own.id)) continue;
      items.splice(at, 1);
      entries.splice(at, 1);
    }
  };

  const countCalls = (entries: readonly Entry[], at: number, id: string): number => {
    const answer = entries.slice(0, at).findLastIndex(({ isModel }) => isModel);
    const calls = callsAround(entries, answer).filter((call) => call.id === id).length;
    return Math.max(1, answer < 0 ? pending.countOf(id) : calls);
  };

  const observing = function* (items: unknown[]): Generator<void, object[]> {
    const entries = readItems(items);
    removeOverriddenAnswers(items, entries);
    if (saved !== undefined) resume(entries, saved);
    const change = places.find(entries);
    places.noteAll(entries);
    restoreWords(items, entries);
    yield;
    yield* observeNew(entries, change);
    isFirstList = false;
    if (keeper !== undefined) latest = entries;
    wasAnswered = isAnswered(entries);
    const made = answerCalls(entries);
    items.push(...made);
    placeWords(items, [...entries, ...readItems(made)]);
    places.release();
    return made;
  };

  return {
    observing,
    observe(items) {
      const steps = observing(items);
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
      }
    },
    stopped: () => run.stopped(),
  };
}
