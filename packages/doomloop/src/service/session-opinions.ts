import { shownTool } from "../agents/hook/answer-event.ts";
import type { HookOpinion } from "../agents/hook/hook-state.ts";
import type { LogEntry, LogPlace } from "../agents/hook/intervention-log.ts";
import { setRecent } from "../core/collections/bounded.ts";
import { CONTINUE, type Decision } from "../core/decision.ts";
import type { OpinionEvent } from "../core/event.ts";
import type { CoreGuard } from "../core/guard.ts";
import { MOST_QUESTIONS, type Question } from "../core/question.ts";
import type { SecondOpinion } from "../host/second-opinion.ts";
import type { AgentEvent } from "../index.ts";
import { askEndpoint } from "../opinion/ask-endpoint.ts";
import { opinionIn, opinionText } from "./opinion-setting.ts";

export interface SessionOpinionsOptions {
  /** The folder of what hooks keep. */
  readonly state: string;
  now(): number;
  onFault(fault: unknown): void;
  /** Called with what became of a question, for the log. */
  onAnswer(entry: LogEntry): void;
}

/** Who is asked about a run. Undefined if nobody is. */
export type OpinionOf = (run: string, placeOf: () => LogPlace) => HookOpinion | undefined;

/** The limits of a question. `docs/coding-agents.md` names them. */
export const OPINION_LIMITS = { questions: MOST_QUESTIONS, timeoutMs: 5_000 } as const;
/** Runs of which the latest steps are kept in words. They stay in memory. */
const MAX_RUNS = 32;
/** The question itself is given up after its time. An answer that cannot be read is given up here. */
const GRACE_MS = 500;

/** Asks the user's endpoint about the runs of coding agents. What the user tells `init` counts from the next event on. */
export function createSessionOpinions(options: SessionOpinionsOptions): OpinionOf {
  const watches = new Map<string, RunWatch>();
  let text: string | undefined;
  let opinion: SecondOpinion | undefined;

  const current = (): SecondOpinion | undefined => {
    const found = opinionText(options.state);
    if (found === text) return opinion;
    text = found;
    watches.clear();
    const setting = opinionIn(found);
    opinion = setting && askEndpoint({ ...setting, ...OPINION_LIMITS });
    return opinion;
  };

  return (run, placeOf) => {
    const asked = current();
    if (asked === undefined) return undefined;
    const watch = watches.get(run) ?? createRunWatch(asked, options);
    setRecent(watches, run, watch, MAX_RUNS);
    return { questions: asked.questions, watch: (guard) => watch.over(guard, placeOf) };
  };
}

type RunWatch = ReturnType<typeof createRunWatch>;
type Verdict = NonNullable<LogEntry["verdict"]>;

/**
 * Follows one run, and asks about it. All of that happens after the hook has its answer, so that the agent does not wait for it. The
 * verdict goes to the guard of the latest event, and counts at the next one.
 */
function createRunWatch(opinion: SecondOpinion, { now, onFault, onAnswer }: SessionOpinionsOptions) {
  let latest: { readonly guard: CoreGuard; readonly placeOf: () => LogPlace } | undefined;
  let isMidway = false;
  /** The one question that awaits its answer. */
  let open: { readonly question: Question; readonly askedAt: number; readonly timer: NodeJS.Timeout } | undefined;
  let later: { readonly event: AgentEvent; readonly question: Question | undefined }[] = [];
  let decided: Decision = CONTINUE;

  const settle = (verdict: Verdict): void => {
    if (open === undefined) return;
    const { question, askedAt, timer } = open;
    const { why, since, latest: last, finding } = question;
    const [tool] = finding?.tools ?? [];
    clearTimeout(timer);
    open = undefined;
    onAnswer({
      ...{ at: now(), ...latest?.placeOf(), said: "opinion", verdict, why, count: last - since + 1 },
      ...{ ms: Math.round(performance.now() - askedAt), ...(finding && { kind: finding.kind }) },
      ...(tool !== undefined && { tool: shownTool(tool) }),
    });
  };

  const hear = ({ since, ...event }: OpinionEvent): void => {
    if (latest === undefined) return;
    const { guard } = latest;
    const before = guard.stats().opinions.late;
    // If the first calls of the run were not followed, the model counts from another one.
    guard.observe(isMidway || since === undefined ? event : { ...event, since });
    settle(guard.stats().opinions.late > before ? "late" : event.verdict);
  };

  const observe = (event: AgentEvent): Decision => {
    if (event.type !== "opinion") return decided;
    hear(event);
    return CONTINUE;
  };
  // What went wrong with a question may quote the answer. The log says that there is none.
  const asking = opinion.attach({ observe }, (fault) => (open === undefined ? onFault(fault) : settle("none")));

  /** Shows what has happened and which question it raised, once everything that waits for an answer has it. */
  const catchUp = (): void => {
    const events = later;
    later = [];
    for (const { event, question } of events) {
      if (question !== undefined) {
        // The guard asks the next one only when the one before is of no use any more.
        settle("none");
        const timer = setTimeout(() => settle("none"), OPINION_LIMITS.timeoutMs + GRACE_MS);
        timer.unref();
        open = { question, askedAt: performance.now(), timer };
      }
      decided = question === undefined ? CONTINUE : { ...CONTINUE, question };
      asking.observe(event);
    }
  };

  return {
    /** The guard of the run at its latest event. */
    over(guard: CoreGuard, placeOf: () => LogPlace): Pick<CoreGuard, "observe"> {
      isMidway ||= latest === undefined && guard.stats().checks > 0;
      latest = { guard, placeOf };
      return {
        observe(event) {
          const decision = guard.observe(event);
          if (later.push({ event, question: decision.question }) === 1) setImmediate(catchUp);
          return decision;
        },
      };
    },
  };
}
