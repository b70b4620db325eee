import type { Decision } from "../../core/decision.ts";
import { DETECTOR_KINDS, type FindingFacts, type FindingKind } from "../../core/finding.ts";
import type { GuardStats } from "../../core/stats.ts";
import type { LoopStop } from "../../host/loop-stop.ts";
import type { LitellmAnswer } from "../guardrails/litellm.ts";
import type { PortkeyAnswer } from "../guardrails/portkey.ts";
import type { EventsRequest } from "./events-request.ts";
import type { Standing } from "./live-run.ts";
import { eventSchemas, type Fields } from "./openapi-events.ts";
import {
  anyObject,
  closed,
  counts,
  flag,
  nullable,
  number,
  object,
  ref,
  type Schema,
  text,
  time,
  whole,
  word,
} from "./openapi-values.ts";
import type { ClientQuestion } from "./questions.ts";
import type { Observed } from "./runs.ts";

/** The fields of all members of a union. */
type FieldsOfAll<Union> = Readonly<Record<Exclude<Union extends unknown ? keyof Union : never, "hasOwnWords">, Schema>>;

const RUNGS: readonly string[] = ["nudge", "block", "restart", "stop"];
const KINDS: readonly FindingKind[] = [...DETECTOR_KINDS, "fleet", "opinion"];

const DECISION: FieldsOfAll<Decision> = {
  action: word(
    ["continue", ...RUNGS],
    "continue: do nothing · nudge: give the message to the agent with the next result · block: do not run this call, answer it with the message · restart: start over from a checkpoint, with the message first · stop: end the run · anything else: continue.",
  ),
  message: text("The message for the agent."),
  explanation: text("An explanation for people."),
  finding: ref("Finding"),
  next: word(RUNGS, "What comes next if the loop goes on."),
  question: ref("Question"),
  escalate: whole("How often the agent was told about this loop and went on. Present from the third time."),
  would: word(RUNGS, "In shadow: what would have been done."),
  status: { type: "string", const: "LOOP_DETECTED", description: "The run is over." },
  callId: text("The id of the call at which the run ends."),
  isAlreadyStopped: flag("The run was ended before; this only says so again."),
  isWayOut: flag("The call finishes, hands over or asks a person. If you cannot end the run, let it run."),
};

const QUESTION: Fields<ClientQuestion> = {
  id: whole("The number of the question in its run. An `opinion` event names it."),
  why: word(
    ["confirm", "hunch", "patrol"] satisfies ClientQuestion["why"][],
    "confirm: before the first message about something doubtful · hunch: results repeat, but not enough for a message · patrol: the run is long.",
  ),
  since: whole("The first call that it is about, counted from 0."),
  latest: whole("The latest call that it is about."),
  until: whole("The round until which an answer has an effect."),
  finding: ref("Finding"),
  request: ref("OpinionRequest"),
};

const OPINION_REQUEST: Fields<ClientQuestion["request"] & object> = {
  system: text("The system prompt. It never changes, so that a provider can cache it."),
  message: text("The message: an excerpt of the run, with secrets masked. It holds text from tools and web pages."),
  maxTokens: whole("The most tokens that an answer needs."),
};

const FINDING: Fields<FindingFacts & { kind: unknown; evidence: unknown }> = {
  kind: word(KINDS, "Which detector found it."),
  loop: { type: "string", pattern: "^[0-9a-f]{32}$", description: "Which loop this is. `allow` takes it." },
  steps: { type: "array", items: whole("A call, counted from 0."), description: "Calls that show it." },
  count: whole("How often it happened."),
  weight: number(
    "How much speaks for a loop, in plain repeats: the same call with the same telling result is worth 1.",
    0,
    Number.MAX_SAFE_INTEGER,
  ),
  confidence: number("How certain it is that this is a loop.", 0, 1),
  tools: { type: "array", items: { type: "string" }, description: "Names of tools, as the client wrote them." },
  evidence: anyObject("The evidence, by kind."),
};

const STOP: Fields<LoopStop> = {
  status: { type: "string", const: "LOOP_DETECTED" },
  action: word(["restart", "stop"], "What was decided."),
  run: text("The run."),
  tool: text("The tool that was repeated."),
  callId: text("The call at which the run ended."),
  count: whole("How often."),
  kind: word(KINDS, "Which detector found it."),
  explanation: text("An explanation for people."),
  message: text("A message for the model, in case you ask it once more."),
  finding: ref("Finding"),
  findings: { type: "array", items: ref("Finding") },
};

const STATS: Fields<GuardStats> = {
  checks: whole("Steps and answers that were looked at."),
  findings: counts("Findings by kind."),
  decisions: counts("Decisions by action."),
  would: counts("In shadow: what would have been done."),
  meanConfidence: number("Over all findings.", 0, 1),
  falsePositives: whole("Findings that were allowed."),
  nudges: counts("Nudges that were obeyed and ignored."),
  opinions: counts("Questions that were asked, and what was answered."),
  faults: whole("Faults inside the guard."),
};

const STANDING: Fields<Standing> = {
  run: text("The run."),
  policy: text("Its policy."),
  events: whole("How many events were judged."),
  begunAt: time("Milliseconds since 1970."),
  lastAt: time("Milliseconds since 1970."),
  told: flag("Whether the agent was ever told anything."),
  stop: { oneOf: [{ type: "null" }, ref("LoopStop")] },
  stats: ref("Stats"),
};

const REQUEST: Fields<EventsRequest> = {
  events: { type: "array", maxItems: 1000, items: ref("Event") },
  policy: text("The policy of the run. A run keeps the one that it began with."),
  options: anyObject(
    "The client's own options, as far as the operator allows them: by default all that JSON can hold. They are at most 8,192 characters of JSON. A run keeps those that it began with.",
  ),
};

const OBSERVED: Fields<Observed> = {
  decisions: { type: "array", items: ref("Decision") },
  notice: text(
    "Which settings of the request are ignored, because the operator keeps them or the run began with others, or what the client does wrong. Log it once.",
  ),
};

/** Of what gateways send, only what is read here. Whatever is missing, the request passes. */
const LITELLM_REQUEST: Readonly<Record<string, Schema>> = {
  input_type: {
    type: "string",
    enum: ["request", "response"],
    description: "Answers of the model are passed through unchecked.",
  },
  structured_messages: {
    type: ["array", "null"],
    items: anyObject("A message."),
    description: "The conversation in the format of Chat Completions.",
  },
  texts: { type: ["array", "null"], items: { type: "string" }, description: "The texts in it, which can be changed." },
  request_data: nullable(anyObject("The owner of the key. It tells apart two users with the same prompt.")),
  request_headers: nullable(anyObject("The client's headers. A session id in them names the conversation.")),
};

const LITELLM_ANSWER: Fields<LitellmAnswer> = {
  action: word(["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"], "What LiteLLM does with the request."),
  blocked_reason: text("Why the run is over, in words for people."),
  texts: {
    type: "array",
    items: { type: "string" },
    description: "All texts. Some may have a message for the agent added.",
  },
};

const PORTKEY_REQUEST: Readonly<Record<string, Schema>> = {
  eventType: { type: "string", description: "Anything but beforeRequestHook is passed through unchecked." },
  request: anyObject("The request to the model, in `json`."),
  metadata: nullable(anyObject("What the client has sent in x-portkey-metadata: _user, session_id.")),
};

const PORTKEY_ANSWER: Fields<PortkeyAnswer> = {
  verdict: flag("False if the run is over."),
  data: anyObject("Why the run is over: `status` is LOOP_DETECTED, `explanation` has words for people."),
  transformedData: anyObject(
    "The request with the message for the agent, in `request.json`. Missing if there is no message.",
  ),
};

/** The schemas of everything that is sent and answered, by name. */
export function schemas(): Readonly<Record<string, Schema>> {
  return {
    ...eventSchemas(),
    Decision: object(DECISION, ["action"]),
    Question: {
      ...object(QUESTION, ["id", "why", "since", "latest", "until"]),
      description: "Is the agent stuck? Whoever can tell answers with an `opinion` event. Only with `questions`.",
    },
    OpinionRequest: {
      ...object(OPINION_REQUEST, Object.keys(OPINION_REQUEST)),
      description: "What to ask a model. Missing if too little of the run was seen here.",
    },
    Finding: object(FINDING, Object.keys(FINDING)),
    LoopStop: object(STOP, ["status", "action", "explanation", "message", "findings"]),
    Stats: object(STATS, Object.keys(STATS)),
    Standing: object(STANDING, Object.keys(STANDING)),
    EventsRequest: closed(REQUEST, ["events"]),
    Decisions: object(OBSERVED, ["decisions"]),
    Allow: closed({ loop: { type: "string", pattern: "^[0-9a-f]{32}$" } }, []),
    Allowed: object({ loop: { type: "string", pattern: "^[0-9a-f]{32}$" } }, ["loop"]),
    LitellmRequest: object(LITELLM_REQUEST, ["input_type"]),
    LitellmAnswer: object(LITELLM_ANSWER, ["action"]),
    PortkeyRequest: object(PORTKEY_REQUEST, []),
    PortkeyAnswer: object(PORTKEY_ANSWER, ["verdict"]),
    Health: object({ status: { type: "string", const: "ok" } }, ["status"]),
    Problem: object(
      {
        type: text("about:blank"),
        title: text("The status."),
        status: whole("The status.", 400, 599),
        detail: text("What is wrong."),
      },
      ["type", "title", "status", "detail"],
    ),
  };
}
