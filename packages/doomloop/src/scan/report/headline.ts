import { isNothing, lateFigures } from "./answer.ts";
import type { LoopSummary, Report } from "./report.ts";
import { count, isInRow } from "./words.ts";

/** Text from transcripts is cut to this length. */
const MAX_WHAT = 80;

type Told = Pick<
  LoopSummary,
  "kind" | "what" | "tools" | "count" | "period" | "areEqual" | "onset" | "end" | "calls" | "uncounted"
>;

/**
 * A loop in one sentence that a person would repeat: `An agent ran npm test 14 times in a row`. Contains text from
 * the transcript: escape before showing.
 */
export function loopSentence(agent: string, loop: Told): string {
  return `${agent.slice(0, MAX_WHAT)} ${deed(loop)}`;
}

/**
 * The worst loop, as a sentence: `The worst of 13 loops, $0.14: an agent ran pytest 12 times`. The figure is what it spent
 * after doomloop would have stepped in. Undefined without loops.
 */
export function worstInWords({ loops, sessions }: Pick<Report, "loops" | "sessions">): string | undefined {
  const [worst] = loops;
  if (worst === undefined) return undefined;
  const sentence = loopSentence(agentInWords(sessions.find(({ id }) => id === worst.session)?.agentName), worst);
  if (loops.length === 1) return sentence;
  const spent = isNothing(worst.afterOnset) ? "" : `, ${lateFigures(worst.afterOnset)[0]}`;
  return `The worst of ${count(loops.length, "loop")}${spent}: ${sentence}`;
}

/** The labels of formats that belong to no agent. A session in one of them may not say which agent it was. */
export const FORMATS: readonly string[] = [
  "trace",
  "OpenAI messages",
  "Anthropic messages",
  "LangSmith runs",
  "Langfuse observations",
  "OpenTelemetry spans",
];

/** Who did something, to begin a sentence. Comes from the transcript: escape before showing. */
export function agentInWords(name: string | undefined): string {
  return name === undefined || FORMATS.includes(name) ? "An agent" : name;
}

function deed(loop: Told): string {
  const what = loop.what.slice(0, MAX_WHAT).toWellFormed();
  const times = count(loop.count, "time");
  // Other calls of the stretch may lie in between.
  const isAlone = loop.count >= loop.end - loop.onset + 1;
  const often = isAlone && isInRow(loop) ? `${times} in a row` : times;
  const isOne = !what.includes(", ");
  switch (loop.kind) {
    case "call-cycle":
      return cycled(what.split(" > "), times);
    case "repeated-text":
      return `wrote the same words ${times} in one answer`;
    case "text-only":
      return `gave ${count(loop.count, "answer")} without a tool call`;
    case "repeated-call":
      if (isOne) return `${made(what, loop.tools)} ${often}`;
      return `asked for the same thing ${often}: ${what}`;
    case "test-fix":
      return isOne ? `${made(what, loop.tools)} ${often}, and it kept failing` : `failed one check ${often}: ${what}`;
    case "failure-streak":
      return isOne ? `${made(what, loop.tools)} ${often} and failed` : `failed ${often} with ${what}`;
    case "similar-call":
      return isOne
        ? `${made(what, loop.tools)} ${often}, nearly the same each time`
        : `made nearly the same call ${often}: ${what}`;
    case "same-outcome":
      return `made ${count(loop.count, "call")} with one outcome: ${what}`;
    case "stalled":
      return `made ${count(loop.count, "attempt")} with nothing new: ${what}`;
    default:
      return `repeated ${what} ${often}`;
  }
}

function cycled(labels: readonly string[], times: string): string {
  if (labels.length === 2) return `went back and forth between ${labels[0]} and ${labels[1]} ${times}`;
  return `went through ${labels.join(", ")} ${times}`;
}

const VERBS: readonly (readonly [tool: RegExp, verb: string])[] = [
  [/read|view|open/i, "read"],
  [/edit|replace|patch/i, "edited"],
  [/write/i, "wrote"],
];

/** A call as a deed: `read auth.ts` for a tool with a file, `ran npm test` for a command. */
function made(what: string, tools: readonly string[]): string {
  const tool = tools.find((name) => name !== "" && (what === name || what.startsWith(`${name} `)));
  if (tool === undefined) return `ran ${what}`;
  const file = what.slice(tool.length + 1);
  if (file === "") return `called ${tool}`;
  const verb = VERBS.find(([pattern]) => pattern.test(tool.slice(0, MAX_WHAT)))?.[1];
  return verb === undefined ? `called ${what}` : `${verb} ${file}`;
}
