import type { Event, InMemoryRunner } from "@google/adk";
import { loopStop } from "doomloop/adk";
import type { HostRequest } from "../../contracts/adapter-driver.ts";
import type { TakeStep } from "../../contracts/stored-run.ts";
import { scripts } from "../shared/scripts.ts";
import { isApprovalRequest, runnerOf } from "./driver.ts";
import type { Part } from "./scripted-llm.ts";

const PLACE = { userId: "user", sessionId: "run" };

/** The run waits for a human at each call, who approves it in the next process. The program stores the session's events. */
export const takeStep: TakeStep = async (stored, { options, tool, script }) => {
  const runner = runnerOf([{ ...tool, needsApproval: true }], options);
  const { appName, sessionService } = runner;
  const session = await sessionService.createSession({ appName, ...PLACE });
  for (const event of (stored ?? []) as Event[]) await sessionService.appendEvent({ session, event });
  const told = { answers: script, requests: [] as HostRequest[] };
  const events = await scripts.run(told, () => run(runner, (stored ?? []) as Event[]));
  const kept = await sessionService.getSession({ appName, ...PLACE });
  const isOver = !events.flatMap(({ content }) => content?.parts ?? []).some(isApprovalRequest);
  const stop = events.map((event) => loopStop(event)).find((found) => found !== undefined);
  return { state: kept?.events, requests: told.requests.map(({ messages }) => messages), isOver, stop };
};

async function run(runner: InMemoryRunner, before: readonly Event[]): Promise<Event[]> {
  const asked = before.at(-1)?.content?.parts?.filter(isApprovalRequest) ?? [];
  const parts: Part[] = before.length === 0 ? [{ text: "Where is it?" }] : asked.map(approvalOf);
  const events: Event[] = [];
  for await (const event of runner.runAsync({ ...PLACE, newMessage: { role: "user", parts } })) events.push(event);
  return events;
}

function approvalOf({ functionCall: { id = "", name = "" } = {} }: Part): Part {
  return { functionResponse: { id, name, response: { confirmed: true } } };
}
