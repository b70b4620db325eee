import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readLog } from "../../../../packages/doomloop/src/agents/hook/intervention-log.ts";
import { saveNotify } from "../../../../packages/doomloop/src/service/notify.ts";
import type { AgentPlace, CodingAgent } from "./coding-agent.ts";
import type { ModelTurn } from "./model-turn.ts";
import { type AgentRun, hookState, runAgent } from "./run-agent.ts";

/** How an agent takes turns that nobody asked for, and what a hook can do about them. */
export interface TurnsOptions {
  /** Sets up what starts the next turn for as long as there is no file `enough` in the folder. */
  keepGoing?(place: AgentPlace): void;
  /** Whether a hook can tell the model between two turns. */
  readonly canTell: boolean;
  /** Whether a hook can end such turns. Otherwise the person is told. */
  readonly canEnd: boolean;
  /**
   * What the model answers to end the run by itself.
   * @default words, as always
   */
  readonly done?: ModelTurn;
  /**
   * What a script sees when such turns were ended.
   * @default not looked at
   */
  readonly exitCode?: number;
}

/** No turn is shorter, and some agents are told twice of one. */
const TURN_MS = 150;
const NOTHING_TO_DO: ModelTurn = { text: "There is nothing left to do.", afterMs: TURN_MS };
/** Against a loop that nothing ends. */
const MAX_REQUESTS = 60;
const HONEST_TURNS = 12;

/** What an agent must do with our hook if it takes one turn after the other without being asked. */
export function turnsContract(agent: CodingAgent, options: TurnsOptions): void {
  const { canTell, canEnd, done = NOTHING_TO_DO, exitCode } = options;

  describe(`turns of ${agent.name} that nobody asked for`, () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "dl-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));
    /** What the command of `--notify` was called with. */
    const notes = (): string => (existsSync(join(folder, "notes")) ? readFileSync(join(folder, "notes"), "utf8") : "");

    it(`are ${canTell ? "told of" : "not told of"}, and ${canEnd ? "ended" : "reported to the person"}`, async () => {
      const { requests, said, output, ...ran } = await runTurns(agent, options, folder, (request) =>
        request > MAX_REQUESTS || (!canEnd && notes() !== "") ? done : NOTHING_TO_DO,
      );
      const told = requests.findIndex((request) => request.includes("[doomloop]")) + 1;
      const what = canEnd ? "end" : "alarm";

      expect({ told, said: said.at(-1) }, output).toEqual({ told: canTell ? 4 : 0, said: what });
      expect(requests.length).toBeLessThan(MAX_REQUESTS);
      if (exitCode !== undefined) expect(ran.exitCode, output).toBe(exitCode);
      // The command runs on its own.
      await expect.poll(notes, { timeout: 60_000 }).toMatch(new RegExp(`^${agent.name} ${what} text-only .*\n$`));
    });

    it("are left alone if each does something", async () => {
      const { requests, said, output } = await runTurns(agent, options, folder, (request) => {
        const turn = Math.ceil(request / 2);
        if (turn > HONEST_TURNS) return done;
        if (request % 2 === 0) return NOTHING_TO_DO;
        const last = turn === HONEST_TURNS ? " && echo enough > enough" : "";
        return { calls: [agent.shell(`echo page ${turn} >> pages.txt && wc -c pages.txt${last}`)] };
      });

      expect(said, output).toEqual([]);
      expect(requests.length).toBeGreaterThanOrEqual(2 * HONEST_TURNS);
    });
  });
}

/** Runs an agent with our hook and with what starts the next turn. `said`: what the log says. */
async function runTurns(
  agent: CodingAgent,
  { keepGoing }: TurnsOptions,
  folder: string,
  script: (request: number) => ModelTurn,
): Promise<AgentRun & { readonly said: readonly string[] }> {
  let said: readonly string[] = [];
  const run = await runAgent(agent, {
    script,
    hook: ["--attended"],
    change(place) {
      saveNotify(hookState(place), `note() { echo "$@" >> '${folder}/notes'; }; note`);
      keepGoing?.(place);
    },
    inspect(place) {
      said = readLog(hookState(place)).map((entry) => entry.said);
    },
  });
  return { ...run, said };
}
