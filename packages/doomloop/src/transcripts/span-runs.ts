import type { SessionFacts, TranscriptSink, TranscriptUsage } from "./reader.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";

/** A model answer or a tool call, as tracing tools record it: with start and end, in any order. */
export interface Span {
  readonly id: string;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly answer?: SpanAnswer;
  readonly tool?: SpanTool;
}

interface SpanAnswer {
  readonly text: string | undefined;
  readonly model: string | undefined;
  readonly usage: TranscriptUsage | undefined;
  /** The number of user messages before the answer, and the text of the last one. */
  readonly userTurns: number;
  readonly userText: string | undefined;
}

interface SpanTool {
  readonly name: string;
  readonly args: unknown;
  readonly output: unknown;
  readonly error: boolean | undefined;
}

/** Collects the spans of a file by run, and sorts them by time. */
export interface SpanRuns {
  add(run: string, span: Span, facts: SessionFacts): void;
  /** Sends all runs to the sink, in the order in which they began. */
  end(): void;
}

interface Collected {
  readonly facts: SessionFacts;
  readonly spans: Span[];
}

/** Beyond this number, spans are sent in parts. Later spans of a run then form a new run. */
const MAX_SPANS = 50_000;

export function createSpanRuns(sink: TranscriptSink): SpanRuns {
  const runs = new Map<string, Collected>();
  let count = 0;
  const sendAll = (): void => {
    const begun = [...runs].sort(([, one], [, other]) => startOf(one) - startOf(other));
    for (const [name, { facts, spans }] of begun) send(createRunEvents(name, sink), facts, spans);
    runs.clear();
    count = 0;
  };
  return {
    add(name, span, facts) {
      const run = runs.get(name);
      if (run === undefined) runs.set(name, { facts, spans: [span] });
      else run.spans.push(span);
      if (++count >= MAX_SPANS) sendAll();
    },
    end: sendAll,
  };
}

function startOf({ spans }: Collected): number {
  return spans.reduce((least, { start }) => Math.min(least, start ?? least), Number.MAX_SAFE_INTEGER);
}

/** Sends an answer at its end, a call at its start, and a result at its end. */
function send(run: RunEvents, facts: SessionFacts, spans: readonly Span[]): void {
  let userTurns = 0;
  const noteUser = (answer: SpanAnswer): void => {
    if (answer.userTurns > userTurns) run.user(answer.userText);
    userTurns = Math.max(userTurns, answer.userTurns);
  };
  const moments = spans.flatMap((span): [number, () => void][] => {
    const { id, start = 0, end = start, answer, tool } = span;
    if (answer !== undefined) {
      return [
        [start, () => noteUser(answer)],
        [end, () => sendAnswer(run, id, answer, end)],
      ];
    }
    if (tool === undefined) return [];
    const { name, args, output, error } = tool;
    return [
      [start, () => run.call(id, name, args, start || undefined)],
      [Math.max(start, end), () => run.result(id, output, { error, at: end || undefined })],
    ];
  });
  const startedAt = spans.reduce<number | undefined>((least, { start }) => earlier(least, start), undefined);
  run.facts({ startedAt, ...facts });
  for (const [, sendMoment] of moments.sort(([one], [other]) => one - other)) sendMoment();
  run.end();
}

function sendAnswer(run: RunEvents, id: string, answer: SpanAnswer, at: number): void {
  run.round(id);
  run.model(answer.model);
  run.text(answer.text, at || undefined);
  if (answer.usage !== undefined) run.usage({ ...answer.usage, id, model: answer.model });
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
