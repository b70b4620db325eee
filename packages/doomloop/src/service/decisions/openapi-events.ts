import type { AgentEvent } from "../../core/event.ts";
import type { SentEvent } from "./events-request.ts";
import { anything, closed, flag, nullable, ref, type Schema, text, time, whole } from "./openapi-values.ts";

/** A schema for each field of a type: the compiler notices a field that is missing here, and one that is not in the type. */
export type Fields<Type> = Readonly<Record<Exclude<keyof Type, "type" | "hasOwnWords">, Schema>>;
type EventOf<Type extends AgentEvent["type"]> = Extract<SentEvent, { type: Type }>;

const EVERY_EVENT = {
  seq: whole("Increases within a run. A number seen before is not judged again. Start with the time in microseconds."),
  untold: flag("The agent was told nothing when it happened: the event counts, and nothing is decided."),
  unheard: flag("Until this event, the agent had read no message: the next ones come before anything is refused."),
  meta: anything("Whatever you want to note. It isn't read. Fields that aren't listed are refused."),
};
const ID = text("Pairs a call with its result.");
const AT = time("Milliseconds on a clock that does not run backwards. Without it, the service uses its own.");

const EVENTS: {
  readonly [Type in AgentEvent["type"]]: { required: readonly string[]; fields: Fields<EventOf<Type>> };
} = {
  call: {
    required: ["tool"],
    fields: {
      ...EVERY_EVENT,
      id: ID,
      tool: text("The name of the tool."),
      args: anything("The arguments: any value, or JSON as text."),
      at: AT,
      readOnly: flag("The tool says that it changes nothing."),
    },
  },
  result: {
    required: [],
    fields: {
      ...EVERY_EVENT,
      id: ID,
      output: anything("Usually text. Any other value is compared by content."),
      error: flag("Whether the tool failed."),
      digest: text("A digest of the whole output, if `output` was cut."),
      length: whole("The length of the whole output, if `output` was cut."),
      at: AT,
      synthetic: flag("A substitute for the tool's answer, such as our own refusal."),
      cancelled: flag("The caller gave up on the call before it finished."),
    },
  },
  text: {
    required: ["text"],
    fields: {
      ...EVERY_EVENT,
      text: text("An answer without calls."),
      partial: flag("A streamed piece of an answer."),
      at: AT,
    },
  },
  reasoning: { required: ["text"], fields: { ...EVERY_EVENT, text: text("The model's thinking.") } },
  round: { required: [], fields: EVERY_EVENT },
  user: { required: [], fields: { ...EVERY_EVENT, text: text("What the user said.") } },
  state: {
    required: ["key"],
    fields: { ...EVERY_EVENT, key: text("What is measured."), value: anything("The measure.") },
  },
  compaction: { required: [], fields: EVERY_EVENT },
  opinion: {
    required: ["question"],
    fields: {
      ...EVERY_EVENT,
      question: whole("The id of the question that it answers."),
      verdict: { type: "string", enum: ["stuck", "working", "unsure"], description: "What the answer says." },
      since: whole("The first call that was made in vain, counted from 0."),
      answer: text("The answer of the model that was asked, in place of `verdict` and `since`: the service reads it."),
    },
  },
};

/** JSON of other programs often has null where ours has nothing. */
function eventSchema(type: string, fields: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  const optional = Object.entries(fields).map(([name, schema]): [string, Schema] => [
    name,
    required.includes(name) || schema.type === undefined ? schema : nullable(schema),
  ]);
  return closed({ type: { type: "string", const: type }, ...Object.fromEntries(optional) }, ["type", ...required]);
}

const nameOfEvent = (type: string): string => `${type[0]!.toUpperCase()}${type.slice(1)}Event`;

/** The schema of each event has a name, so that generated clients have a type for each. */
export function eventSchemas(): Readonly<Record<string, Schema>> {
  const types = Object.entries(EVENTS);
  const references = types.map(([type]): [string, Schema] => [type, ref(nameOfEvent(type))]);
  const mapping = Object.fromEntries(references.map(([type, { $ref }]) => [type, $ref!]));
  return {
    Event: {
      oneOf: references.map(([, reference]) => reference),
      discriminator: { propertyName: "type", mapping },
    },
    ...Object.fromEntries(
      types.map(([type, { fields, required }]) => [nameOfEvent(type), eventSchema(type, fields, required)]),
    ),
  };
}
