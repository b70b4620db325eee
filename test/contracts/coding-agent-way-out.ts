import { expect, it } from "vitest";
import type { HookedAgent } from "../../packages/doomloop/src/agents/coding-agent.ts";
import type { HookAnswer } from "../../packages/doomloop/src/agents/hook/dialect.ts";
import type { HookState } from "../../packages/doomloop/src/agents/hook/hook-state.ts";
import { runHook } from "../../packages/doomloop/src/agents/hook/run-hook.ts";

interface Call {
  readonly tool: string;
  readonly args: object;
}

const PLAIN = (...tools: string[]): readonly Call[] => tools.map((tool) => ({ tool, args: {} }));

const BLOCKED: Call = { tool: "update_goal", args: { status: "blocked" } };

/** The calls with which each agent finishes, gives up, hands over or asks a person. */
const WAYS_OUT: Readonly<Record<string, readonly Call[]>> = {
  "claude-code": PLAIN("ExitPlanMode", "AskUserQuestion", "StructuredOutput"),
  codex: [BLOCKED, ...PLAIN("request_user_input")],
  "gemini-cli": PLAIN("ask_user", "complete_task", "exit_plan_mode"),
  "qwen-code": PLAIN("ask_user_question", "exit_plan_mode", "structured_output"),
  "copilot-cli": PLAIN("task_complete", "ask_user", "exit_plan_mode"),
  cline: PLAIN("attempt_completion", "ask_followup_question", "ask_question", "submit_and_exit"),
  opencode: PLAIN("question", "plan_exit"),
  openclaw: [BLOCKED, ...PLAIN("ask_user", "sessions_yield")],
};

/** What agents have whose own names nobody has looked up. */
const USUAL = PLAIN("ask_user", "task_complete");

const LOOK: Call = { tool: "read_file", args: { path: "a.ts" } };
/** More than it takes to end a loop whose answers say little. */
const LAPS = 80;
const LAP_MS = 5000;

/** A hook whose guard refuses whatever it may: the way out stays open, also after the run should have ended. */
export function wayOutContract(agent: HookedAgent): void {
  const { abilities } = agent.hook;
  const ways = WAYS_OUT[agent.name] ?? USUAL;

  it.for(ways)("never refuses $tool $args, made again and again", (call) => {
    const play = createPlayer(agent);
    const answers = Array.from({ length: LAPS }, () => play(call)).flat();

    expect(answers.filter(({ type }) => type === "words").length).toBeLessThanOrEqual(1);
    expect(answers.filter((answer) => isRefusal(answer) && !isEnd(answer))).toEqual([]);
    expect(answers.some(isEnd)).toBe(abilities.stop !== "none");
  });

  it.for(ways)("never refuses $tool $args in a loop of other calls that are refused", (call) => {
    const play = createPlayer(agent);
    const until = (is: (answer: HookAnswer) => boolean): boolean =>
      Array.from({ length: LAPS }, () => play(LOOK))
        .flat()
        .some(is);
    if (abilities.stop === "none") expect(until(isRefusal)).toBe(true);
    else for (let lap = 0; lap < LAPS && !play(LOOK).some(isRefusal); lap++);

    if (abilities.block) expect(play(call).filter(isRefusal)).toEqual([]);
  });
}

/** Plays one call with its result, as the agent reports it, to a hook whose guard refuses all that it says something about. */
function createPlayer({ hook, name, doctor }: HookedAgent): (call: Call) => readonly HookAnswer[] {
  let saved: HookState | undefined;
  let at = 0;
  return (call) => {
    at++;
    const answers: HookAnswer[] = [];
    const samples = doctor?.sampleEvents?.({ session: "s", cwd: "/work", at }) ?? PLUGIN_EVENTS[name]!(at);
    for (const { input, isResult } of samples) {
      const read = hook.read(withCall(input, call));
      if (!read || (isResult && answers.some(isRefusal))) continue;
      const settings = {
        isUnattended: true,
        guardOptions: { onDecision: () => ({ action: "block" }) as const },
        now: at * LAP_MS,
        reportFault: (fault: unknown) => expect(fault).toBeUndefined(),
      };
      const { state, answer } = runHook(read, hook, settings, saved);
      saved = state;
      answers.push(answer);
    }
    return answers;
  };
}

/** The events of agents that are tried with their plugin instead of events. */
const PLUGIN_EVENTS: Readonly<Record<string, (at: number) => readonly { input: object; isResult: boolean }[]>> = {
  opencode: (at) => {
    const base = { sessionID: "s", callID: `c${at}`, tool: "", args: {} };
    return [
      { input: { ...base, event: "tool.execute.before" }, isResult: false },
      { input: { ...base, event: "tool.execute.after", output: "Not accepted." }, isResult: true },
    ];
  },
  openclaw: (at) => {
    const base = { sessionId: "s", toolCallId: `c${at}`, toolName: "", args: {} };
    return [
      { input: { ...base, event: "before_tool_call" }, isResult: false },
      { input: { ...base, event: "tool_result", output: "Not accepted." }, isResult: true },
    ];
  },
};

const NAMES = ["tool_name", "toolName", "tool", "name"];
const ARGUMENTS = ["tool_input", "toolArgs", "input", "args"];

/** An event of the same form about another call. */
function withCall(input: object, { tool, args }: Call): Record<string, unknown> {
  return JSON.parse(JSON.stringify(input), (key, value: unknown) => {
    if (NAMES.includes(key)) return tool;
    return ARGUMENTS.includes(key) ? args : value;
  }) as Record<string, unknown>;
}

function isRefusal({ type }: HookAnswer): boolean {
  return type === "refusal" || type === "question";
}

function isEnd(answer: HookAnswer): boolean {
  return answer.type === "end" || (answer.type === "refusal" && answer.isEnd);
}
