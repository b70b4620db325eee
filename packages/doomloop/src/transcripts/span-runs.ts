import { type ForeignRecord, jsonIn, listOf, recordOf, recordsOf, textOf } from "./foreign-value.ts";
import { namedReader } from "./named-reader.ts";
import type { SessionFacts, TranscriptReader, TranscriptSink, TranscriptUsage } from "./reader.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";
import { contentText } from "./tool-output.ts";

/** A model answer or a tool call, as tracing tools record it: with start and end, in any order. */
export interface Span {
  readonly id: string;
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** The conversation and the answer, in the format of OpenAI, Anthropic, LangChain or OpenTelemetry. */
  readonly answer?: {
    readonly input: unknown;
    readonly output: unknown;
    readonly model: string | undefined;
    readonly usage: TranscriptUsage | undefined;
  };
  readonly tool?: {
    readonly name: string;
    readonly args: unknown;
    readonly output: unknown;
    readonly isFailed: boolean;
  };
}

export type AddSpan = (run: string, span: Span, facts: SessionFacts) => void;

interface SpanFormat extends Pick<TranscriptReader, "agent" | "label"> {
  isMine(head: string): boolean;
  /** The key of a response's list of records. */
  readonly list?: string;
  /** Adds the spans of a record. Returns false if it is malformed. */
  take(record: ForeignRecord, add: AddSpan): boolean;
}

/** Creates a reader for the spans of a tracing tool: a list of records, a response with such a list, or one record per line. */
export function spanReader({ agent, label, isMine, list, take }: SpanFormat): TranscriptReader {
  return namedReader({
    agent,
    label,
    isMine: (_path, head) => isMine(head),
    open(_source, sink) {
      const runs = createSpanRuns(sink);
      const takeRecord = (value: unknown): boolean => {
        const record = recordOf(value);
        return record !== undefined && take(record, runs.add);
      };
      return {
        record(value) {
          const told = list === undefined ? value : (recordOf(value)?.[list] ?? value);
          return (Array.isArray(told) ? told : [value]).map(takeRecord).every(Boolean);
        },
        end: runs.end,
      };
    },
  });
}

/** A value that some tools write as JSON text. */
export function parsedText(value: unknown): unknown {
  return typeof value === "string" && /^[[{"]/.test(value) ? (jsonIn(value) ?? value) : value;
}

interface Collected {
  readonly facts: SessionFacts;
  startedAt: number | undefined;
  userTurns: number;
  readonly moments: [at: number, send: (run: RunEvents, collected: Collected) => void][];
}

/** Beyond this number, spans are sent in parts. Later spans of a run then form a new run. */
const MAX_SPANS = 50_000;

/** Collects the spans of a file by run, and sends them sorted by time: an answer at its end, a call at its start, a result at its end. */
function createSpanRuns(sink: TranscriptSink): { readonly add: AddSpan; end(): void } {
  const runs = new Map<string, Collected>();
  let count = 0;
  const sendAll = (): void => {
    const startOf = ({ startedAt = Number.MAX_SAFE_INTEGER }: Collected): number => startedAt;
    for (const [name, found] of [...runs].sort(([, one], [, other]) => startOf(one) - startOf(other))) {
      const run = createRunEvents(name, sink);
      run.facts({ startedAt: found.startedAt, ...found.facts });
      for (const [, send] of found.moments.sort(([one], [other]) => one - other)) send(run, found);
      run.end();
    }
    runs.clear();
    count = 0;
  };
  return {
    add(name, { id, start, end = start, answer, tool }, facts) {
      const found = runs.get(name) ?? { facts, startedAt: start, userTurns: 0, moments: [] };
      runs.set(name, found);
      if (start !== undefined && start < (found.startedAt ?? start + 1)) found.startedAt = start;
      if (answer !== undefined) addAnswer(found, id, answer, [start, end]);
      if (tool !== undefined) {
        const { name: called, args, output, isFailed } = tool;
        const error = isFailed ? true : undefined;
        found.moments.push(
          [start ?? 0, (run) => run.call(id, called, args, start)],
          [Math.max(start ?? 0, end ?? 0), (run) => run.result(id, output, { error, at: end })],
        );
      }
      if (++count >= MAX_SPANS) sendAll();
    },
    end: sendAll,
  };
}

type Times = readonly [start: number | undefined, end: number | undefined];

/** Keeps the texts of an answer, but not its conversation, which each answer repeats. */
function addAnswer({ moments }: Collected, id: string, answer: NonNullable<Span["answer"]>, [start, end]: Times): void {
  const { model, usage } = answer;
  const words = messagesIn(answer.input)
    .filter((message) => USERS.includes(roleOf(message)))
    .map(wordsOf)
    // In some formats, tool results are user messages as well.
    .filter((text) => text !== undefined);
  const [turns, latest] = [words.length, words.at(-1)];
  const text = answerIn(answer.output);
  moments.push(
    [
      start ?? 0,
      (run, collected) => {
        if (turns > collected.userTurns) run.user(latest);
        collected.userTurns = Math.max(collected.userTurns, turns);
      },
    ],
    [
      end ?? 0,
      (run) => {
        run.round(id);
        run.model(model);
        run.text(text, end);
        if (usage !== undefined) run.usage({ ...usage, id, model });
      },
    ],
  );
}

const USERS = ["user", "human", "HumanMessage"];

function answerIn(output: unknown): string | undefined {
  if (typeof output === "string") return textOf(output);
  const record = recordOf(output);
  const generation = recordOf(listOf(listOf(record?.generations)[0])[0]);
  const choice = recordOf(listOf(record?.choices)[0]);
  const chosen = recordOf(choice?.message) ?? messagesIn(output).at(-1) ?? record;
  return textOf(generation?.text) ?? (chosen && wordsOf(chosen));
}

function messagesIn(value: unknown): readonly ForeignRecord[] {
  const record = recordOf(value);
  const found = Array.isArray(value) ? value : listOf(record?.messages ?? record?.input);
  // LangChain batches: a list of lists.
  return recordsOf(Array.isArray(found[0]) ? found[0] : found);
}

/** LangChain writes `constructor` as the type, and the class among the ids. */
function roleOf({ role, type, id }: ForeignRecord): string {
  return textOf(role) ?? (type === "constructor" ? undefined : textOf(type)) ?? textOf(listOf(id).at(-1)) ?? "";
}

function wordsOf(message: ForeignRecord): string | undefined {
  const inner = recordOf(message.kwargs) ?? recordOf(message.data) ?? message;
  const content = inner.content ?? inner.text ?? inner.parts;
  if (typeof content === "string") return textOf(content);
  const blocks = recordsOf(content).filter(({ type }) => type === "text");
  return contentText(blocks.map((block) => textOf(block.text) ?? textOf(block.content)));
}
