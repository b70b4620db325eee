import type { SessionFacts, TranscriptSink, TranscriptUsage } from "./reader.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";

/** A model's answer or a tool's work, as tracing tools record it: with a beginning and an end, in no order. */
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
  /** How often the user had spoken before the answer, and the last words. */
  readonly userTurns: number;
  readonly userText: string | undefined;
}

interface SpanTool {
  readonly name: string;
  readonly args: unknown;
  readonly output: unknown;
  readonly error: boolean | undefined;
}

/** Collects the spans of a file, by run, and puts them in the order of time. */
export interface SpanRuns {
  add(run: string, span: Span, facts: SessionFacts): void;
  /** Tells all runs, in the order in which they began. */
  end(): void;
}

interface Collected {
  readonly facts: SessionFacts;
  readonly spans: Span[];
}

/** More spans are told in parts: what belongs to a run in another part is a run of its own. */
const MAX_SPANS = 50_000;

export function createSpanRuns(sink: TranscriptSink): SpanRuns {
  const runs = new Map<string, Collected>();
  let count = 0;
  const tellAll = (): void => {
    const begun = [...runs].sort(([, one], [, other]) => startOf(one) - startOf(other));
    for (const [name, { facts, spans }] of begun) tell(createRunEvents(name, sink), facts, spans);
    runs.clear();
    count = 0;
  };
  return {
    add(name, span, facts) {
      const run = runs.get(name);
      if (run === undefined) runs.set(name, { facts, spans: [span] });
      else run.spans.push(span);
      if (++count >= MAX_SPANS) tellAll();
    },
    end: tellAll,
  };
}

function startOf({ spans }: Collected): number {
  return spans.reduce((least, { start }) => Math.min(least, start ?? least), Number.MAX_SAFE_INTEGER);
}

/** An answer comes when it ends; a call when it starts, and its result when it ends. */
function tell(run: RunEvents, facts: SessionFacts, spans: readonly Span[]): void {
  let userTurns = 0;
  const hear = (answer: SpanAnswer): void => {
    if (answer.userTurns > userTurns) run.user(answer.userText);
    userTurns = Math.max(userTurns, answer.userTurns);
  };
  const moments = spans.flatMap((span): [number, () => void][] => {
    const { id, start = 0, end = start, answer, tool } = span;
    if (answer !== undefined) {
      return [
        [start, () => hear(answer)],
        [end, () => tellAnswer(run, id, answer, end)],
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
  for (const [, teller] of moments.sort(([one], [other]) => one - other)) teller();
  run.end();
}

function tellAnswer(run: RunEvents, id: string, answer: SpanAnswer, at: number): void {
  run.round(id);
  run.model(answer.model);
  run.text(answer.text, at || undefined);
  if (answer.usage !== undefined) run.usage({ ...answer.usage, id, model: answer.model });
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
