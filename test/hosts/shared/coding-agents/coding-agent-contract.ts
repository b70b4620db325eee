import { describe, expect, it } from "vitest";
import { readLog } from "../../../../packages/doomloop/src/agents/hook/intervention-log.ts";
import type { AgentPlace, CodingAgent } from "./coding-agent.ts";
import type { ModelTurn } from "./model-turn.ts";
import { hookState, looksIn, runAgent } from "./run-agent.ts";
import { REFUSED_AT, REFUSED_MS, STOPPED_AT, STOPPED_MS, slowly } from "./slow-loop.ts";

const WORDS = "[doomloop]";
/** More than it takes to be told, and less than to be asked about. */
const LOOPS = 9;
/** Polls and edits by turns. */
const HEALTHY_STEPS = 30;

/** What every coding agent must do with our hook: it hears of a loop, it is refused and stopped where it can be, and else is as it was. */
export function describeCodingAgent(agent: CodingAgent, options: { readonly healthySteps?: number } = {}): void {
  const { healthySteps = HEALTHY_STEPS } = options;
  const { can, endsItselfAt } = agent;
  const loop =
    (loops: number) =>
    (request: number): ModelTurn =>
      request > loops ? { text: "I give up." } : { calls: [agent.shell("cat result.txt")] };
  const healthy = (request: number): ModelTurn => {
    if (request > healthySteps) return { text: "Done." };
    return { calls: [agent.shell(request % 2 === 1 ? "sh poll.sh" : `echo line ${request} >> notes.txt`)] };
  };
  const firstWords = (requests: readonly string[]): number => requests.findIndex((text) => text.includes(WORDS)) + 1;

  describe(`the hook in ${agent.name}`, { retry: agent.retries ?? 0 }, () => {
    it.skipIf(agent.failing === undefined)("tells the model in the request after the third equal failure", async () => {
      let where: AgentPlace | undefined;
      const { requests, output } = await runAgent(agent, {
        script: (request) => (request > LOOPS ? { text: "I give up." } : { calls: [agent.failing!(where!)] }),
        hook: ["--attended"],
        change: (place) => {
          where = place;
        },
      });

      expect(firstWords(requests), output).toBe(4);
    });

    it("tells the model in the request after the third equal result, and neither refuses nor ends anything while attended", async () => {
      let folders: readonly unknown[] = [];
      let where: AgentPlace | undefined;
      const { requests, looks, output } = await runAgent(agent, {
        script: loop(LOOPS),
        hook: ["--attended"],
        inspect(place) {
          where = place;
          folders = readLog(hookState(place), 0).flatMap(({ said, folder }) => (said === "words" ? [folder] : []));
        },
      });
      const end = endsItselfAt ?? LOOPS + 1;

      expect(firstWords(requests), output).toBe(4);
      expect(requests.length).toBe(end);
      // There is nobody to be asked here: a question would be a refusal.
      expect(looks).toBe(end - 1);
      // Without it, no rule of a project applies.
      expect(new Set(folders)).toEqual(new Set([where?.folder]));
    });

    it(`${can.refuse ? "refuses" : "cannot refuse"} calls and ${can.stop ? "stops" : "cannot stop"} the run where nobody watches`, async () => {
      const loops = can.stop ? STOPPED_AT + 2 : REFUSED_AT + 2;
      const { requests, output } = await runAgent(agent, {
        script: slowly(loop(loops), can.stop ? STOPPED_MS : REFUSED_MS),
        hook: ["--unattended"],
      });
      const end = endsItselfAt ?? (can.stop ? STOPPED_AT : loops + 1);

      expect(firstWords(requests), output).toBe(4);
      // A call that is made again and again gets through later, at growing distances.
      if (can.refuse)
        expect(looksIn(requests.slice(0, REFUSED_AT + 1).at(-1)), output).toBe(Math.min(REFUSED_AT, end) - 1);
      expect(requests.length).toBe(end);
    });

    it(`says nothing in ${healthySteps} polls and edits, and changes nothing of what the model reads`, async () => {
      const [bare, hooked] = await Promise.all([
        runAgent(agent, { script: healthy }),
        runAgent(agent, { script: healthy, hook: ["--unattended"] }),
      ]);

      expect(hooked.requests.length, hooked.output).toBe(healthySteps + 1);
      expect(firstWords(hooked.requests)).toBe(0);
      expect(
        hooked.requests.map((request, at) => firstDifference(agent, request, bare.requests[at] ?? "{}")).find(Boolean),
      ).toBe(undefined);
      expect(hooked.exitCode).toBe(bare.exitCode);
    });
  });
}

/** Where what the model reads of two requests begins to differ, but for what differs between any two runs; undefined if it does not. */
function firstDifference({ wire }: CodingAgent, one: string, other: string): string | undefined {
  const [a, b] = [withoutTheRun(one, wire.read), withoutTheRun(other, wire.read)];
  if (a === b) return undefined;
  let at = 0;
  while (a[at] === b[at]) at++;
  return `${a.slice(Math.max(0, at - 80), at + 80)} <> ${b.slice(at, at + 80)}`;
}

/** Ids, times, durations and processes. */
function withoutTheRun(request: string, fields: readonly string[]): string {
  const body = JSON.parse(request) as Readonly<Record<string, unknown>>;
  return JSON.stringify(fields.map((field) => body[field]))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UUID")
    .replaceAll(/[0-9a-f]{32,}/g, "HEX")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, "TIME")
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "MINUTE")
    .replaceAll(/_\d{13}_/g, "_TIME_")
    .replaceAll(/PGID: \d+|Chunk ID: \w+|Wall time: [\d.]+/g, "PROCESS");
}
