import { answerAt, type ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { answerParts } from "../shared/language-model.ts";
import type { AiPackage } from "./ai-packages.ts";

/** A request as far as these tests read it. */
export interface ScriptedRequest {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly object[];
  readonly toolChoice?: unknown;
}

/** A model that says what is in a script, and notes what it was asked. */
export function scripted(ai: AiPackage, script: readonly ScriptedAnswer[]) {
  const requests: ScriptedRequest[] = [];
  const model = ai.model((request) => {
    requests.push(request as ScriptedRequest);
    const answer = answerAt(script, requests.length - 1);
    return { content: answerParts(answer), hasCalls: (answer.calls ?? []).length > 0 };
  });
  return { model, requests };
}

/** The same call so often. */
export function looping(length = 10): ScriptedAnswer[] {
  return Array.from({ length }, (_, at) => ({
    calls: [{ id: `call-${at + 1}`, tool: "read_file", args: { path: "x" } }],
  }));
}

/** A tool that is always called in vain, and notes when it runs. */
export function readFile(ai: AiPackage, more: object = {}) {
  const executed: unknown[] = [];
  const execute = async (input: unknown): Promise<string> => {
    executed.push(input);
    return "nothing";
  };
  return { executed, read_file: { inputSchema: ai.jsonSchema({ type: "object" }), execute, ...more } };
}
