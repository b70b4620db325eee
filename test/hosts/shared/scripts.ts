import { AsyncLocalStorage } from "node:async_hooks";
import { answerAt, type HostRequest, type ScriptedAnswer } from "../../contracts/adapter-driver.ts";

/** What the model says in a run, and what it was asked. */
export interface Script {
  readonly answers: readonly ScriptedAnswer[];
  readonly requests: HostRequest[];
}

/** The script of the run that is going on. One agent serves many at a time: its model finds the run by where it is called from. */
export const scripts = new AsyncLocalStorage<Script>();

/** Notes a request to the model, and gives the script's answer to it. */
export function nextAnswer(request: HostRequest): ScriptedAnswer {
  const { answers, requests } = scripts.getStore()!;
  requests.push(request);
  return answerAt(answers, requests.length - 1);
}
