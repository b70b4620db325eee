import { WorkflowAgent } from "@ai-sdk/workflow";
import { isStepCount, jsonSchema } from "ai";
import { guard, loopStop } from "doomloop/ai-sdk";
import { LoopingModel } from "./looping-model.ts";

/** The ways to write a stop condition. */
const CONDITIONS = {
  none: {},
  function: { stopWhen: isStepCount(30) },
  list: { stopWhen: [isStepCount(30)] },
  "empty list": { stopWhen: [] },
};

export type Condition = keyof typeof CONDITIONS;

/** What the tool answers each time. */
const REJECTED = { ok: false, error: "schema mismatch" };

async function inStep(_card: { id: number }): Promise<object> {
  "use step";
  return REJECTED;
}

async function inWorkflow(_card: { id: number }): Promise<object> {
  return REJECTED;
}

export interface Written {
  readonly steps: number;
  /** What the agent read after each call. */
  readonly read: readonly string[];
  readonly explanation: string | undefined;
  readonly faults: readonly string[];
}

/** An agent writes the same card again and again. In Node, the directives do nothing. */
export async function writeCards(condition: Condition, isStep: boolean): Promise<Written> {
  "use workflow";
  const faults: string[] = [];
  const schema = jsonSchema<{ id: number }>({ type: "object", properties: { id: { type: "number" } } });
  const write_card = { description: "Writes.", inputSchema: schema, execute: isStep ? inStep : inWorkflow };
  const settings = { model: new LoopingModel(), tools: { write_card }, ...CONDITIONS[condition] };
  const onFault = (fault: unknown): void => void faults.push(String(fault));
  const result = await new WorkflowAgent(guard(settings, { onFault })).stream({ prompt: "Write the card." });
  const results = result.messages.filter(({ role }) => role === "tool");
  return {
    steps: result.steps.length,
    read: results.map(({ content }) => JSON.stringify(content)),
    explanation: loopStop(result)?.explanation,
    faults,
  };
}
