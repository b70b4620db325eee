import { CONTINUE } from "../core/decision.ts";
import type { OpinionVerdict, Question } from "../core/question.ts";
import type { SecondOpinion } from "../host/second-opinion.ts";
import { type AgentEvent, isDoomloopError } from "../index.ts";
import { askEndpoint } from "../opinion/ask-endpoint.ts";
import { OPINION_SYSTEM } from "../opinion/prompt.ts";
import type { OpinionSetting } from "./opinion-setting.ts";
import { OPINION_LIMITS } from "./session-opinions.ts";

/** What came of one question about a made-up run. */
export interface OpinionTrial {
  /** What the model said, or why that is not known. */
  readonly answer: { readonly verdict: OpinionVerdict } | { readonly fault: string };
  readonly ms: number;
  /** About how many tokens of a question are always the same. */
  readonly constantTokens: number;
}

/** Every model should call this stuck. Nothing in it is anybody's. */
const READ = { tool: "read_file", args: { path: "notes.txt" } } as const;
const MADE_UP: readonly AgentEvent[] = [
  { type: "user", text: "Which day is the meeting? It is in notes.txt." },
  ...Array.from({ length: 6 }, (_, at): readonly AgentEvent[] => [
    { type: "call", id: `call-${at}`, ...READ },
    { type: "result", id: `call-${at}`, output: "shopping: bread, milk" },
  ]).flat(),
];
const QUESTION: Question = { id: 1, why: "hunch", since: 0, latest: 5, until: 9 };
const CHARACTERS_PER_TOKEN = 4;
/** The question is given up after its time, which is told before this. */
const GRACE_MS = 250;

/** Asks the endpoint once, about a made-up loop. Never rejects, and says nothing that the endpoint said. */
export async function tryOpinion(setting: OpinionSetting, timeoutMs = OPINION_LIMITS.timeoutMs): Promise<OpinionTrial> {
  const constantTokens = Math.round(OPINION_SYSTEM.length / CHARACTERS_PER_TOKEN);
  const begun = performance.now();
  const answer = await play(askEndpoint({ ...setting, timeoutMs }), timeoutMs);
  return { answer, ms: performance.now() - begun, constantTokens };
}

function play(opinion: SecondOpinion, timeoutMs: number): Promise<OpinionTrial["answer"]> {
  return new Promise((resolve) => {
    const end = (answer: OpinionTrial["answer"]): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const timer = setTimeout(() => end({ fault: "nothing was answered" }), timeoutMs + GRACE_MS);
    const guard = {
      observe(event: AgentEvent) {
        if (event.type === "opinion") end({ verdict: event.verdict });
        return event === MADE_UP.at(-1) ? { ...CONTINUE, question: QUESTION } : CONTINUE;
      },
    };
    const asking = opinion.attach(guard, (fault) => end({ fault: faultInWords(fault) }));
    for (const event of MADE_UP) asking.observe(event);
  });
}

/** Why there is no answer, without the name of the part that says so. */
function faultInWords(fault: unknown): string {
  return isDoomloopError(fault) ? fault.message.replace(/^\w+(?: endpoint)?: /, "") : "it cannot be asked";
}
