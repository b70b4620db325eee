import { createHash } from "node:crypto";
import { isStartOfAnswer, openCallsOf } from "../../adapters/openai/answers.ts";
import { type Conversation, createConversation } from "../../adapters/openai/conversation.ts";
import { type Entry, type Part, readItems } from "../../adapters/openai/items.ts";
import { countSeen, type SeenList, seenListOf } from "../../adapters/openai/seen-list.ts";
import type { Decision } from "../../core/decision.ts";
import type { AgentEvent } from "../../core/event.ts";
import { createConfiguredGuard } from "../../counting/configured-guard.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { platform } from "../../platform.ts";
import type { PolicyOptions } from "../decisions/policies.ts";
import { createQuestions, type Questions } from "../decisions/questions.ts";
import type { WatchedStore } from "../decisions/run-store.ts";
import { createTurns, type Turns } from "../decisions/turns.ts";
import { placesIn } from "../memory-share.ts";
import { withWords } from "./message-list.ts";
import { createSaidWords, type SaidWords } from "./said-words.ts";

/** Whose conversation it is, as far as the gateway says. */
export interface Owner {
  /** Everything that names the account or the user. */
  readonly account: readonly unknown[];
  /** The gateway's own name of the session, if it has one. */
  readonly session?: string | undefined;
}

/** What to do with a request. */
export interface Judged {
  /** The list as it is to be sent: the same one if there is nothing to say. */
  readonly items: readonly object[];
  /** Why the request is refused, in words for people. */
  readonly refusal?: string | undefined;
}

/** The conversations that pass through gateways. */
export type Conversations = ReturnType<typeof createConversations>;

export interface ConversationsOptions {
  readonly policy: PolicyOptions;
  /** Keeps what was said, so that another process says it at the same places. */
  readonly store?: Pick<WatchedStore, "load" | "save"> | undefined;
  /**
   * At most so many are in memory. The one whose latest request is oldest is forgotten first.
   * @default 2000, or fewer where fewer fit into memory
   */
  readonly maxConversations?: number | undefined;
  /** @default nobody is asked */
  readonly questions?: Questions | undefined;
  /** @default turns of its own */
  readonly turns?: Turns | undefined;
  now(): number;
  onFault(fault: unknown): void;
  /** Called with every decision. */
  onDecision?(run: string, decision: Decision, event: AgentEvent): void;
}

/** Appends words to a result. Undefined if there is no room for them. */
type Say = (item: object, words: string) => object | undefined;

interface Kept {
  readonly name: string;
  readonly owner: string;
  readonly conversation: Conversation;
  readonly said: SaidWords;
  /** The latest calls, by which the next list is recognised. */
  readonly calls: Set<string>;
  /** The words that the conversation has just put into its list. */
  latestWords: string | undefined;
  /** The list at which the run was ended. */
  end: SeenList | undefined;
  answers: number;
  lastAt: number;
}

/** What is read of a list to find its conversation. */
interface Reading {
  readonly entries: readonly Entry[];
  readonly calls: readonly string[];
  readonly answers: number;
  readonly owner: string;
}

const SILENCE_MS = 3_600_000;
const MAX_CONVERSATIONS = 2_000;
const PART_FOR_CONVERSATIONS = 0.25;
const MAX_CALLS = 256;
/** No agent gets this far, and everything in a list is looked at. */
const MAX_LIST = 4_000;

/** Follows the conversations of a gateway, which sends each as a whole with every request. */
export function createConversations(options: ConversationsOptions) {
  const { policy, store, now, onFault, onDecision } = options;
  const { maxConversations = Math.min(MAX_CONVERSATIONS, placesIn(PART_FOR_CONVERSATIONS)) } = options;
  const { questions = createQuestions(), turns = createTurns() } = options;
  const terms = questions(policy, "cannot");
  /** Nothing is ever said, so a run is ended without words. */
  const isWordless = policy.ladder?.every((rung) => rung === "stop") === true;
  const runs = createHostRuns(
    {
      onFault,
      createGuard(own, run = "") {
        const config = { ...terms.options, ...own };
        const guard = terms.attach(createConfiguredGuard(config, platform));
        const observe: typeof guard.observe = (event) => {
          const decision = guard.observe(event);
          onDecision?.(run, decision, event);
          return decision;
        };
        return { ...guard, observe };
      },
    },
    // The agent has run a call before the gateway hears of it.
    { nudge: "message", block: false, stop: "clean", restart: false },
  );
  // In the order of the latest requests.
  const live = new Map<string, Kept>();
  /** By owner, then by call. */
  const byCall = new Map<string, Map<string, Kept>>();

  const forget = (kept: Kept): void => {
    if (live.get(kept.name) === kept) live.delete(kept.name);
    const own = byCall.get(kept.owner);
    for (const id of kept.calls) if (own?.get(id) === kept) own.delete(id);
    if (own?.size === 0) byCall.delete(kept.owner);
  };

  const keep = (kept: Kept, calls: readonly string[]): void => {
    const other = live.get(kept.name);
    if (other !== undefined && other !== kept) forget(other);
    live.delete(kept.name);
    live.set(kept.name, kept);
    const own = byCall.get(kept.owner) ?? new Map<string, Kept>();
    byCall.set(kept.owner, own);
    for (const id of calls.slice(-MAX_CALLS)) {
      kept.calls.delete(id);
      kept.calls.add(id);
      own.set(id, kept);
    }
    for (const id of kept.calls) {
      if (kept.calls.size <= MAX_CALLS) break;
      kept.calls.delete(id);
      if (own.get(id) === kept) own.delete(id);
    }
    if (live.size > maxConversations) forget(live.values().next().value!);
  };

  /** The conversation that a list continues. One that was ended is continued only by a list that goes on from its end. */
  const find = ({ owner, calls, entries }: Reading): Kept | undefined => {
    const own = byCall.get(owner);
    const last = calls.findLast((id) => own?.has(id));
    const kept = last === undefined ? undefined : own?.get(last);
    if (kept?.end === undefined || countSeen(entries, kept.end)) return kept;
    forget(kept);
    return undefined;
  };

  const begin = (name: string, owner: string, say: Say): Kept => {
    const noting: Say = (item, words) => {
      const spoken = say(item, words);
      if (spoken !== undefined) kept.latestWords = words;
      return spoken;
    };
    const conversation = createConversation(runs.start(name), { withWords: noting, mayAddMessage: false });
    const kept: Kept = {
      ...{ name, owner, conversation, said: createSaidWords(), calls: new Set<string>() },
      ...{ latestWords: undefined, end: undefined, answers: 0, lastAt: now() },
    };
    return kept;
  };

  /** Undefined if the run would be ended although its agent was never told anything. */
  const observe = async (kept: Kept, items: readonly object[], read: Reading): Promise<Judged | undefined> => {
    const { entries, calls, answers, owner } = read;
    kept.lastAt = now();
    kept.answers = answers;
    keep(kept, calls);
    const before = kept.said.restored(items);
    // If the list ends with the model's own words, it is to go on with them.
    if (entries.at(-1)?.isModel !== false || openCallsOf(entries).length > 0) return { items: before };
    const list = [...before];
    kept.latestWords = undefined;
    await turns.work(owner, kept.conversation.observing(list));
    list.length = before.length;
    if (kept.latestWords !== undefined) {
      kept.said.note(before, list, kept.latestWords);
      // Nobody waits for it: what was not saved is missing in another process, which then counts too little.
      void store?.save(kept.name, kept.said.save(), SILENCE_MS);
    }
    const stop = kept.conversation.stopped();
    kept.end = stop && seenListOf(entries);
    if (stop === undefined) return { items: list };
    return isWordless || kept.said.size > 0 ? { items: list, refusal: stop.explanation } : undefined;
  };

  const judge = async (items: readonly object[], owner: Owner, say: Say): Promise<Judged> => {
    const read = readList(items, owner);
    if (read === undefined) return { items };
    for (let work = turns.underWay(read.owner); work !== undefined; work = turns.underWay(read.owner)) await work;
    const name = `gateway:${hashOf([read.owner, read.calls[0]]).slice(0, 32)}`;
    let kept = find(read);
    // Another process may have answered the requests that are missing here.
    if (store !== undefined && read.answers > (kept?.answers ?? 0) + 1) {
      const said = await store.load(kept?.name ?? name);
      kept = find(read) ?? begin(name, read.owner, say);
      kept.said.add(said);
    }
    kept ??= begin(name, read.owner, say);
    const judged = await observe(kept, items, read);
    if (judged !== undefined) return judged;
    // The words did not fit anywhere. The conversation is read anew, so that they come now.
    forget(kept);
    return (await observe(begin(name, read.owner, say), items, read)) ?? { items };
  };

  return {
    /** Observes what is new in the list of a request. `say` puts words into a result, where the gateway can. Never rejects. */
    judge: (items: readonly object[], owner: Owner, say: Say = withWords): Promise<Judged> =>
      judge(items, owner, say).catch((fault: unknown) => {
        onFault(fault);
        return { items };
      }),
    /** Forgets conversations that were silent for too long. */
    tidy(): void {
      for (const kept of live.values()) {
        if (now() - kept.lastAt < SILENCE_MS) break;
        forget(kept);
      }
    },
    get size() {
      return live.size;
    },
  };
}

/**
 * Reads a list, if it is to be watched. Without a call there is nothing to watch; and if a result answers a call that is not in the list, the
 * provider keeps the rest of the conversation.
 *
 * A conversation belongs to the session that the gateway names, else to what the user said first. The system prompt is left out, because
 * many contain the time.
 */
function readList(items: readonly object[], { account, session }: Owner): Reading | undefined {
  if (items.length > MAX_LIST) return undefined;
  const entries = readItems(items);
  const calls: string[] = [];
  const known = new Set<string>();
  for (const part of entries.flatMap(({ parts }) => parts)) {
    if (part.type === "result" && !known.has(part.id)) return undefined;
    if (part.type !== "call") continue;
    calls.push(part.id);
    known.add(part.id);
  }
  if (calls.length === 0 || calls.length > MAX_LIST) return undefined;
  const answers = entries.filter((_, at) => isStartOfAnswer(entries, at)).length;
  const owner = hashOf([account, session ?? null, session === undefined ? firstWords(entries) : null]);
  return { entries, calls, answers, owner };
}

function firstWords(entries: readonly Entry[]): string | undefined {
  const isUser = (part: Part): part is Extract<Part, { type: "user" }> => part.type === "user";
  return entries.flatMap(({ parts }) => parts).find(isUser)?.text;
}

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
