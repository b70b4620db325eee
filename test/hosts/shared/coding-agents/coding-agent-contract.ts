import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readLog } from "../../../../packages/doomloop/src/agents/hook/intervention-log.ts";
import { packageHome } from "../../../../scripts/package/manifest.ts";
import type { AgentPlace, AgentStart, CodingAgent } from "./coding-agent.ts";
import type { ModelTurn } from "./model-turn.ts";
import { type AgentRun, environmentOf, hookState, runAgent } from "./run-agent.ts";
import { REFUSED_AT, REFUSED_MS, STOPPED_AT, STOPPED_MS, slowly } from "./slow-loop.ts";

const WORDS = "[doomloop]";
/** More than it takes to be told, and less than to be asked about. */
const LOOPS = 9;
/** Polls and edits by turns. */
const HEALTHY_STEPS = 30;
/** More calls than a cycle of two takes to be ended. */
const CYCLE = 34;

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
  /** Runs a loop where nobody watches, in the agent's own JSON, and asks `doomloop log` about it. */
  const runToEnd = async (script: (request: number) => ModelTurn) => {
    const prepare = (place: AgentPlace): AgentStart => {
      const start = agent.prepare(place);
      return { ...start, words: agent.ended.json(start.words) };
    };
    let said: readonly string[] = [];
    const run = await runAgent(
      { ...agent, prepare },
      {
        script: slowly(script, can.stop ? STOPPED_MS : REFUSED_MS),
        hook: ["--unattended"],
        inspect: (place) => {
          said = saidIn(place, agent.ended.isNowhere === true ? [] : ["--here"]);
        },
      },
    );
    return { ...run, said };
  };
  /** A stop is not a success: what a script can tell it by. */
  const expectEnded = ({
    exitCode,
    output,
    said,
  }: Pick<AgentRun, "exitCode" | "output"> & { said: readonly string[] }) => {
    expect(exitCode, output).toBe(agent.ended.exitCode);
    for (const words of agent.ended.prints) expect(output).toContain(words);
    expect(said).toContain(can.stop ? "end" : "refusal");
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
      const { requests, looks, ...seen } = await runToEnd(loop(loops));
      const end = endsItselfAt ?? (can.stop ? STOPPED_AT : loops + 1);

      expect(firstWords(requests), seen.output).toBe(4);
      if (can.refuse) expect(looks, seen.output).toBe(looksAt(end - 1));
      expect(requests.length).toBe(end);
      if (endsItselfAt === undefined) expectEnded(seen);
    });

    it.runIf(endsItselfAt)("does so in a cycle of two calls, which the agent does not end itself", async () => {
      const cycle = (request: number): ModelTurn =>
        request > CYCLE ? { text: "I give up." } : { calls: [agent.shell(request % 2 ? "cat result.txt" : "ls")] };
      const { requests, ...seen } = await runToEnd(cycle);

      if (can.stop) expect(requests.length, seen.output).toBeLessThan(CYCLE);
      expectEnded(seen);
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

/** How many of so many equal calls have run: those that are refused, but for the third and the sixth, have not. */
function looksAt(calls: number): number {
  const isRun = (call: number): boolean => call < REFUSED_AT || call === REFUSED_AT + 2 || call === REFUSED_AT + 5;
  return Array.from({ length: calls }, (_, at) => at + 1).filter(isRun).length;
}

/** What a script learns from `doomloop log`, whatever the agent prints. */
function saidIn(place: AgentPlace, where: readonly string[]): readonly string[] {
  const words = [join(packageHome, "dist/cli/main.js"), "log", "--json", ...where];
  const env = environmentOf(place) as NodeJS.ProcessEnv;
  const lines = execFileSync(process.execPath, words, { cwd: place.folder, env, encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { said: string }).said);
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
