import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LogEntry, readLog } from "../../../../packages/doomloop/src/agents/hook/intervention-log.ts";
import type { AgentPlace, CodingAgent } from "./coding-agent.ts";
import type { ModelTurn } from "./model-turn.ts";
import { type AgentRun, hookState, runAgent } from "./run-agent.ts";

interface StopHookOptions {
  /** Adds another program's hook, which says that the agent shall go on until there is a file `enough`. */
  keepGoing(place: AgentPlace): void;
  /** How the same session is asked for something else. */
  again(start: readonly string[]): readonly string[];
  /**
   * How many turns of another hook are taken for the user's if they call a tool, because the agent says late whose they are.
   * @default 0
   */
  readonly late?: number;
}

/** The turn after which the model is told, and the one after which there is none. */
const TOLD_AT = 3;
export const ENDED_AT = 20;
/** Takes longer than what counts as a second report of one turn. */
export const BLOCKED: ModelTurn = { text: "I cannot go on: that needs a password that I do not have.", afterMs: 150 };
const MANY = 60;

/** What an agent must do with our hook if another program's Stop hook makes it go on. */
export function stopHookContract(agent: CodingAgent, options: StopHookOptions): void {
  const { keepGoing } = options;

  describe(`turns of ${agent.name} that another Stop hook asks for`, () => {
    it("are told of after the third that ends alike, and the twentieth is the last", async () => {
      const { requests, log, notified, output } = await runLogged(agent, () => BLOCKED, keepGoing);

      expect(firstTold(requests), output).toBe(TOLD_AT + 1);
      expect(requests).toHaveLength(ENDED_AT);
      expect(ends(log)).toEqual(["end"]);
      expect(notified).toMatch(new RegExp(`^${agent.name} end text-only `));
    });

    endsLooks(agent, options);
    countsFromUser(agent, options);
  });
}

export function endsLooks(agent: CodingAgent, { keepGoing, late = 0 }: StopHookOptions): void {
  it("are ended as well if each looks at the same thing first", async () => {
    const script = (request: number): ModelTurn =>
      request % 2 === 0 || request > MANY ? BLOCKED : { calls: [agent.shell("cat result.txt")] };
    const { requests, log, output } = await runLogged(agent, script, keepGoing);

    // The call counts, too. Where nobody watches, its end may come before that of the turn.
    expect(firstTold(requests), output).toBe(2 * (TOLD_AT + late));
    expect(requests.length).toBeLessThanOrEqual(2 * (ENDED_AT + late));
    expect(ends(log)).toEqual(["end"]);
  });
}

/** Two turns for each of two prompts. That many are told of if nobody asks for anything in between. */
export function countsFromUser(agent: CodingAgent, { keepGoing, again }: StopHookOptions): void {
  it("count from the first when the user asks for something else", async () => {
    const twice = inShell(agent, (start) => `"$@"; rm -f enough; ${again(start).map(quoted).join(" ")}`);
    let folder = "";
    const script = (request: number): ModelTurn => {
      if (request % 2 === 0) writeFileSync(join(folder, "enough"), "");
      return BLOCKED;
    };
    const { requests, log, output } = await runLogged(twice, script, (place) => {
      ({ folder } = place);
      keepGoing(place);
    });

    expect(requests, output).toHaveLength(4);
    expect(requests.join("")).not.toContain("[doomloop]");
    expect(log).toEqual([]);
  });
}

/** Adds a hook for the end of a turn to settings in the form of Claude Code. It says that the agent shall go on until there is a file `enough`. */
export function addStopHook({ folder }: AgentPlace, settings: string, event = "Stop"): void {
  const file = join(dirname(folder), "go-on.sh");
  const another = JSON.stringify({ decision: "block", reason: "continue" });
  writeFileSync(file, `cat > /dev/null\n[ -e '${folder}/enough' ] || echo '${another}'\n`);
  const { hooks, ...others } = JSON.parse(readFileSync(settings, "utf8"));
  const handlers = [...hooks[event], { hooks: [{ type: "command", command: `sh '${file}'` }] }];
  writeFileSync(settings, JSON.stringify({ ...others, hooks: { ...hooks, [event]: handlers } }));
}

interface LoggedRun extends AgentRun {
  readonly log: readonly LogEntry[];
  /** What the command of `--notify` was told, if a run was ended. */
  readonly notified: string;
}

/** Runs an agent with our hook, whose user wants to know when a run is ended. */
export async function runLogged(
  agent: CodingAgent,
  script: (request: number) => ModelTurn,
  change: (place: AgentPlace) => void = () => {},
): Promise<LoggedRun> {
  let log: readonly LogEntry[] = [];
  let notified = "";
  const inspect = async (place: AgentPlace): Promise<void> => {
    log = readLog(hookState(place));
    const file = join(hookState(place), "notified");
    if (!log.some(({ said }) => said === "end")) return;
    // The command runs on its own.
    await expect.poll(() => existsSync(file) && readFileSync(file, "utf8"), { timeout: 60_000 }).toContain("\n");
    notified = readFileSync(file, "utf8");
  };
  const run = await runAgent(agent, { script, hook: ["--notify", "echo >> notified"], change, inspect });
  return { ...run, log, notified };
}

/** The same agent, started by a script of a shell, which has the agent's command in `"$@"`. */
export function inShell(agent: CodingAgent, script: (start: readonly string[]) => string): CodingAgent {
  return {
    ...agent,
    prepare(place) {
      const { program, words, env } = agent.prepare(place);
      const start = [program, ...words];
      return { program: "/bin/sh", words: ["-c", script(start), "sh", ...start], env };
    },
  };
}

/** The words of a start with another prompt. */
export function withPrompt(words: readonly string[], prompt: string): readonly string[] {
  return words.map((word) => (word === "Go." ? prompt : word));
}

/** The request in which the model was told first, from 1. */
export function firstTold(requests: readonly string[]): number {
  return requests.findIndex((request) => request.includes("[doomloop]")) + 1;
}

function ends(log: readonly LogEntry[]): readonly string[] {
  return log.map(({ said }) => said).filter((said) => said === "end" || said === "alarm");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
