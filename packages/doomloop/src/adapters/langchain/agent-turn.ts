import { setRecent } from "../../core/collections/bounded.ts";
import { appendToText, isJsonText } from "../../host/append-words.ts";
import type { LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { latestUserText } from "../../host/user-text.ts";
import { block, unblock, withoutBlockedName } from "./blocked-calls.ts";
import {
  copyWith,
  isAnswer,
  isNewTurn,
  type MessageLike,
  observeProviderCalls,
  observeResult,
  observeSaid,
  type ToolCallLike,
  withWords,
} from "./messages.ts";

/** Follows an agent's run from one model request to the next. */
export interface AgentTurn {
  /** Reads what happened since the last answer. Returns why the run ends, if it ends here. */
  begin(messages: readonly MessageLike[]): LoopStop | undefined;
  /** The messages as the model must read them; the same list if nothing changes. */
  read(messages: readonly MessageLike[]): readonly MessageLike[];
  /** The messages that must replace those in the state. */
  replaced(): readonly MessageLike[];
  /** Judges the calls of an answer. Returns the answer that LangChain must carry out. */
  judge(answer: unknown): unknown;
}

/** A call of the latest answer, with the guard's id of it. */
interface Judged {
  readonly hostId: string;
  readonly id: string;
}

/** Comes instead of an answer that completes a structured response. */
interface StructuredAnswer {
  readonly messages: readonly MessageLike[];
}

const MAX_SPOKEN = 256;

/** The names of LangChain's own calls for a structured response begin with this. */
const STRUCTURED = "extract-";

/** Follows one run of an agent. */
export function createAgentTurn(run: HostRun): AgentTurn {
  let latest: string | undefined;
  let judged: Judged[] = [];
  let hasEnded = false;
  let isReplaced = false;
  const changes = new Map<string, MessageLike>();
  /** JSON results with words appended, for the model only, because programs parse what is in the state. */
  const spoken = new Map<string, MessageLike>();

  const change = (message: MessageLike, changed: MessageLike | undefined): void => {
    if (message.id !== undefined && changed !== undefined && changed !== message) changes.set(message.id, changed);
  };

  /** Results come in any order, and ids may be equal. A result belongs to the first call with its id that has no result yet. */
  const callOf = ({ tool_call_id: hostId = "" }: MessageLike): Judged | undefined => {
    const at = judged.findIndex((call) => call.hostId === hostId);
    return at < 0 ? undefined : judged.splice(at, 1)[0];
  };

  const addWords = (message: MessageLike, words: string): void => {
    const { id, content } = message;
    if (id !== undefined && typeof content === "string" && isJsonText(content))
      setRecent(spoken, id, copyWith(message, { content: appendToText(content, words) }), MAX_SPOKEN);
    else change(message, withWords(run, message, words));
  };

  const readResult = (given: MessageLike): void => {
    if (given.type !== "tool" || changes.has(given.id!)) return;
    const content = withoutBlockedName(given);
    const message = content === undefined ? given : copyWith(given, { content });
    change(given, message);
    const words = observeResult(run, message, callOf(message)?.id);
    if (words !== undefined) addWords(message, words);
  };

  const judgeCall = (call: ToolCallLike, calls: readonly ToolCallLike[]): ToolCallLike => {
    const { id: hostId = "", name: tool, args } = call;
    const isTold = hostId !== "" && calls.filter(({ id }) => id === hostId).length === 1;
    const answer = run.call({ id: isTold ? hostId : undefined, tool, args });
    judged.push({ hostId, id: answer.id });
    return answer.action === "run" ? call : block(call, answer.message);
  };

  /** After a structured response, LangChain writes all messages of the state again. Of messages with the same id, the last one stays. */
  const withChanges = (answer: StructuredAnswer): unknown =>
    changes.size === 0 ? answer : { ...answer, messages: [...changes.values(), ...answer.messages] };

  /** LangChain keeps nothing of a failed step, so the changes of a failed request are made again. */
  const readNew = (messages: readonly MessageLike[]): void => {
    if (isReplaced) changes.clear();
    isReplaced = false;
    const at = messages.findLastIndex(isAnswer);
    if (at >= 0) change(messages[at]!, unblocked(messages[at]!));
    messages.slice(at + 1).forEach(readResult);
    judged = [];
    // After an end, any user message continues the run, even if the run was rejected and its last messages are results.
    if (isNewTurn(messages) || (hasEnded && messages.at(-1)?.type === "human")) run.user();
    run.asked(() => latestUserText(messages));
  };

  return {
    begin(messages) {
      const id = messages.at(-1)?.id;
      // A repeated request, for example after an error, is about the same messages.
      if (id === undefined || id !== latest) readNew(messages);
      latest = id;
      const stop = run.stopped();
      hasEnded = stop !== undefined;
      return stop;
    },
    read: (messages) =>
      changes.size + spoken.size === 0
        ? messages
        : messages.map((message) => spoken.get(message.id!) ?? changes.get(message.id!) ?? message),
    replaced() {
      isReplaced = true;
      return [...changes.values()];
    },
    judge(answer) {
      run.round();
      if (!isMessage(answer)) return withChanges(answer as StructuredAnswer);
      observeSaid(run, answer);
      observeProviderCalls(run, answer);
      judged = [];
      const { tool_calls: calls = [] } = answer;
      if (calls.some(({ name }) => name.startsWith(STRUCTURED))) return answer;
      const left = calls.map((call) => judgeCall(call, calls));
      return left.every((call, at) => call === calls[at]) ? answer : copyWith(answer, { tool_calls: left });
    },
  };
}

/** An answer with its blocked calls restored as the model made them. */
function unblocked(message: MessageLike): MessageLike {
  const { tool_calls: calls = [] } = message;
  const made = calls.map(unblock);
  return made.every((call, at) => call === calls[at]) ? message : copyWith(message, { tool_calls: made });
}

function isMessage(answer: unknown): answer is MessageLike {
  return isAnswer(answer as MessageLike);
}
