import { describe, expect, it } from "vitest";
import { hookedAgentOf } from "../index.ts";
import { type HookState, readHookState, saveHookState } from "./hook-state.ts";
import { runHook } from "./run-hook.ts";

/** What Gemini CLI and its descendants report of a command: the exit code only where it is not 0. */
function reportOf(output: string, at: number): string {
  const code = output.includes("No such file") ? "\nExit Code: 1" : "";
  return `Output: ${output}${code}\nProcess Group PGID: ${4000 + at}`;
}

/** What each agent puts on a hook's standard input: a call, and what it came back with. */
interface Wording {
  call(at: number, tool: string, args: object): object;
  result(at: number, tool: string, args: object, output: string): object;
  /** All calls of the answer are over, where the agent tells that. */
  batch?(at: number, tool: string, args: object, output: string): object;
  /** What it tells before it goes on. */
  after?(): object;
  user(): object;
}

const claudeBase = { session_id: "s1", transcript_path: "/t.jsonl", cwd: "/work", permission_mode: "default" };
const claudeCall = (at: number, tool_name: string, tool_input: object) => ({
  tool_name,
  tool_input,
  tool_use_id: `toolu_${at}`,
});
const claude: Wording = {
  call: (...call) => ({ ...claudeBase, hook_event_name: "PreToolUse", ...claudeCall(...call) }),
  result: (at, tool, args, stdout) => ({
    ...claudeBase,
    hook_event_name: "PostToolUse",
    ...claudeCall(at, tool, args),
    tool_response: { stdout, stderr: "", interrupted: false, isImage: false },
    duration_ms: at * 7,
  }),
  batch: (at, tool, args, output) => ({
    ...claudeBase,
    hook_event_name: "PostToolBatch",
    tool_calls: [{ ...claudeCall(at, tool, args), tool_response: output }],
  }),
  user: () => ({ ...claudeBase, hook_event_name: "UserPromptSubmit", prompt: "go on" }),
};

const codexBase = { session_id: "s1", turn_id: "t1", model: "m", cwd: "/work" };
const codex: Wording = {
  call: (...call) => ({ ...codexBase, hook_event_name: "PreToolUse", ...claudeCall(...call) }),
  result: (at, tool, args, output) => ({
    ...codexBase,
    hook_event_name: "PostToolUse",
    ...claudeCall(at, tool, args),
    tool_response: output,
  }),
  user: () => ({ ...codexBase, hook_event_name: "UserPromptSubmit", prompt: "go on" }),
};

const geminiBase = { session_id: "s1", transcript_path: "/t.json", cwd: "/work", timestamp: "2026-11-15T10:00:00Z" };
const gemini: Wording = {
  call: (_at, tool_name, tool_input) => ({ ...geminiBase, hook_event_name: "BeforeTool", tool_name, tool_input }),
  result: (at, tool_name, tool_input, output) => ({
    ...geminiBase,
    hook_event_name: "AfterTool",
    tool_name,
    tool_input,
    tool_response: { llmContent: reportOf(output, at), returnDisplay: output },
  }),
  user: () => ({ ...geminiBase, hook_event_name: "BeforeAgent", prompt: "go on" }),
};

/** It gives a call another id in each place but one, and asks for a prompt of nobody behind each result. */
const qwen: Wording = {
  call: (at, ...call) => ({ ...(claude.call(at, ...call) as object), tool_call_id: `call_${at}` }),
  result: (at, tool, args, output) => ({
    ...claudeBase,
    hook_event_name: "PostToolUse",
    ...claudeCall(at, tool, args),
    tool_call_id: `call_${at}`,
    tool_response: { llmContent: reportOf(output, at) },
  }),
  batch: (at, tool_name, tool_input, output) => ({
    ...claudeBase,
    hook_event_name: "PostToolBatch",
    tool_call_id: "batch",
    tool_calls: [
      { tool_name, tool_input, tool_use_id: `call_${at}`, tool_call_id: `call_${at}`, tool_response: output },
    ],
  }),
  after: () => ({ ...claudeBase, hook_event_name: "UserPromptSubmit", prompt: "", tool_call_id: "prompt" }),
  user: () => ({ ...(claude.user() as object), tool_call_id: "prompt" }),
};

const copilotBase = { sessionId: "s1", timestamp: 1_763_200_000_000, cwd: "/work" };
const copilot: Wording = {
  call: (_at, toolName, toolArgs) => ({ ...copilotBase, toolName, toolArgs }),
  result: (at, toolName, toolArgs, output) => ({
    ...copilotBase,
    toolName,
    toolArgs,
    toolResult: { resultType: "success", textResultForLlm: `${output}\n<shellId: ${at} completed with exit code 0>` },
  }),
  user: () => ({ ...copilotBase, prompt: "go on" }),
};

const clineBase = { taskId: "s1", cwd: "/work" };
const cline: Wording = {
  call: (at, name, input) => ({ ...clineBase, hookName: "tool_call", tool_call: { id: `c${at}`, name, input } }),
  result: (at, name, input, output) => ({
    ...clineBase,
    hookName: "tool_result",
    tool_result: { id: `c${at}`, name, input, output, durationMs: at * 3 },
  }),
  user: () => ({ ...clineBase, hookName: "prompt_submit", prompt: "go on" }),
};

const opencodeBase = { sessionID: "s1", directory: "/work" };
const opencode: Wording = {
  call: (at, tool, args) => ({ ...opencodeBase, event: "tool.execute.before", callID: `c${at}`, tool, args }),
  result: (at, tool, args, output) => ({
    ...opencodeBase,
    event: "tool.execute.after",
    callID: `c${at}`,
    tool,
    args,
    output,
    metadata: { exit: 0 },
  }),
  user: () => ({ ...opencodeBase, event: "chat.message", text: "go on" }),
};

const openclawBase = { sessionId: "s1", cwd: "/work" };
const openclaw: Wording = {
  call: (at, toolName, args) => ({ ...openclawBase, event: "before_tool_call", toolCallId: `c${at}`, toolName, args }),
  result: (at, toolName, args, output) => ({
    ...openclawBase,
    event: "tool_result",
    toolCallId: `c${at}`,
    toolName,
    args,
    output,
  }),
  user: () => ({ ...openclawBase, event: "run" }),
};

const WORDINGS: Readonly<Record<string, Wording>> = {
  "claude-code": claude,
  codex,
  "gemini-cli": gemini,
  "qwen-code": qwen,
  "copilot-cli": copilot,
  cline,
  opencode,
  openclaw,
};
const HOSTS = Object.keys(WORDINGS);

interface AgentChoice {
  readonly startsOver?: boolean;
  /** The levels that users have. Otherwise lower ones, so that a test needs few laps. */
  readonly isPaced?: boolean;
  /** Answers in place of its hooks. */
  asked?(value: object): object | undefined;
}

const textOf = (state: HookState): string => JSON.stringify(saveHookState(state));
const stateIn = (text: string | undefined): HookState | undefined =>
  text === undefined ? undefined : readHookState(JSON.parse(text));

/** An agent whose run is saved and read again at every event. */
function agentOf(host: string, isUnattended: boolean, choice: AgentChoice = {}) {
  const { startsOver = false, isPaced = false, asked } = choice;
  const guardOptions = isPaced ? {} : ({ levels: { told: 3, refused: 5, ended: 6 } } as const);
  let kept: string | undefined;
  let allowedAt: number | undefined;
  let nudges = { obeyed: 0, ignored: 0 };
  let missedEvents = 0;
  let now = 0;
  const faults: unknown[] = [];
  const hook = (value: object): object | undefined => {
    if (asked !== undefined) return asked(value);
    const input = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
    const { name, hook: dialect } = hookedAgentOf(input, undefined)!;
    expect(name).toBe(host);
    const read = dialect.read(input);
    if (!read) return undefined;
    now += isPaced ? 2_000 : 40;
    const saved = stateIn(kept);
    const reportFault = (fault: unknown): void => void faults.push(fault);
    const settings = { isUnattended, startsOver, guardOptions, allowedAt, now, missedEvents, reportFault };
    const { state, answer, nudges: more } = runHook(read, dialect, settings, saved);
    kept = textOf(state);
    nudges = { obeyed: nudges.obeyed + more.obeyed, ignored: nudges.ignored + more.ignored };
    expect(faults).toEqual([]);
    return dialect.write(answer, read);
  };
  const wording = WORDINGS[host]!;
  return {
    hook,
    kept: () => kept ?? "",
    /** One lap: what was answered to the call, to its result, and to the end of the answer. */
    lap(at: number, args: object = { command: "cat notes.md" }, output = "nothing found"): (object | undefined)[] {
      const tool = host === "gemini-cli" ? "run_shell_command" : "Bash";
      const before = hook(wording.call(at, tool, args));
      const isRefused = JSON.stringify(before ?? {}).includes("deny");
      const after = isRefused ? undefined : hook(wording.result(at, tool, args, output));
      const end = wording.batch && hook(wording.batch(at, tool, args, output));
      if (wording.after) expect(hook(wording.after())).toBeUndefined();
      return [before, after, end];
    },
    user: () => hook(wording.user()),
    /** An event gets lost, of this run or of another. */
    miss() {
      missedEvents++;
    },
    /** Somebody says that it is no loop. */
    allow() {
      allowedAt = now;
    },
    nudges: () => nudges,
  };
}

const isPlugin = (host: string): boolean => host === "opencode" || host === "openclaw";
const saidIn = (answers: unknown): boolean => JSON.stringify(answers ?? null).includes("[doomloop]");

describe.each(HOSTS)("a loop in %s", (host) => {
  it("is refused and ended as far as the agent can, where nobody watches", () => {
    const agent = agentOf(host, true);
    const laps = Array.from({ length: 7 }, (_, at) => agent.lap(at));
    const text = JSON.stringify(laps.slice(4));

    if (host === "cline") expect(text).toContain('"cancel":true');
    else expect(text).toContain(isPlugin(host) ? '"refusal"' : "deny");
    if (isPlugin(host)) expect(text).toContain('"stop":true');
    if (host === "claude-code" || host === "gemini-cli") expect(text).toContain('"continue":false');
    else expect(text).not.toContain('"continue"');
  });

  it("is refused at the tenth call, counted from one process to the next", () => {
    const agent = agentOf(host, true, { isPaced: true });
    const laps = Array.from({ length: 20 }, (_, at) => JSON.stringify(agent.lap(at)));

    expect(laps.findIndex(saidIn)).toBe(2);
    // Cline cannot refuse a call: it is ended.
    expect(laps.findIndex((lap) => /deny|"cancel":true|refusal/.test(lap)) + 1).toBe(host === "cline" ? 20 : 10);
  });

  it("is never refused while attended: the agent is told, and the person is asked where that is possible", () => {
    const agent = agentOf(host, false);
    const text = JSON.stringify(Array.from({ length: 12 }, (_, at) => agent.lap(at)));

    expect(text).toContain("[doomloop]");
    expect(text).not.toMatch(/"deny"|"continue"|"cancel"|"refusal"|"stop"/);
    expect(text.includes('"ask"')).toBe(host === "claude-code");
  });

  it("is told at growing distances where no call can be refused", () => {
    const agent = agentOf(host, false, { isPaced: true });
    const told = Array.from({ length: 20 }, (_, at) => saidIn(JSON.stringify(agent.lap(at))));
    const laps = told.flatMap((isTold, at) => (isTold ? [at] : []));

    // Claude Code asks a person at the tenth call, and after a yes it is no loop.
    expect(laps).toEqual(host === "claude-code" ? [2, 4, 8] : [2, 4, 8, 16]);
  });

  it("is over when the user speaks", () => {
    const agent = agentOf(host, true);
    for (let at = 0; at < 8; at++) agent.lap(at);
    agent.user();

    expect(saidIn(agent.lap(9))).toBe(false);
    expect(JSON.stringify(agent.lap(10, { command: "ls" }))).not.toMatch(/deny|continue|cancel|refusal/);
  });

  it("is ignored once somebody says so", () => {
    const agent = agentOf(host, true);
    for (let at = 0; at < 4; at++) agent.lap(at);
    agent.allow();
    const laps = Array.from({ length: 6 }, (_, at) => agent.lap(at + 4));

    expect(saidIn(laps)).toBe(false);
  });

  it("is counted: whether the agent went on with it after a nudge", () => {
    const agent = agentOf(host, true);
    for (let at = 0; at < 5; at++) agent.lap(at);

    expect(agent.nudges().obeyed).toBe(0);
    expect(agent.nudges().ignored).toBeGreaterThan(0);
  });

  it("is over where refused calls run again after a change", () => {
    const agent = agentOf(host, true, { isPaced: true });
    for (let at = 0; at < 13; at++) agent.lap(at);
    agent.lap(13, { command: "echo done > notes.md" }, "");
    const laps = Array.from({ length: 3 }, (_, at) => agent.lap(at + 14, undefined, "done"));

    expect(JSON.stringify(laps)).not.toMatch(/deny|cancel|refusal/);
  });

  it("leaves nothing of what was called or found in what is kept", () => {
    const agent = agentOf(host, true);
    for (let at = 0; at < 5; at++) agent.lap(at, { command: "cat secret-plan.txt" }, "hunter2 is the password");

    expect(agent.kept()).not.toMatch(/secret-plan|hunter2/);
  });

  it("is not seen where each call brings something new", () => {
    const agent = agentOf(host, true);
    const laps = Array.from({ length: 30 }, (_, at) => agent.lap(at, { command: `sed -n ${at}p a.txt` }, `line ${at}`));

    expect(JSON.stringify(laps)).toBe(JSON.stringify(laps.map((lap) => lap.map(() => undefined))));
  });
});

describe.each(HOSTS)("events of %s that are not heard", (host) => {
  const outcomes = (misses: boolean): string => {
    const agent = agentOf(host, true);
    agent.user();
    return JSON.stringify(
      Array.from({ length: 10 }, (_, at) => {
        if (misses) agent.miss();
        return agent.lap(at);
      }),
    );
  };

  it("may have been the user's words: a run that was ended goes on", () => {
    const agent = agentOf(host, true);
    for (let at = 0; at < 8; at++) agent.lap(at);
    agent.miss();

    expect(JSON.stringify(agent.lap(9, { command: "ls" }, "notes.md"))).not.toMatch(
      /deny|cancel|refusal|"continue":false|"stop"/,
    );
  });

  it("may have been edits: what comes back behind them is neither refused nor ended", () => {
    expect(outcomes(false)).toMatch(/deny|cancel|refusal/);
    expect(outcomes(true)).not.toMatch(/deny|cancel|refusal|"continue":false|"stop"/);
  });
});

describe.each(HOSTS)("a run that may start over in %s", (host) => {
  type Agent = ReturnType<typeof agentOf>;
  const isEnded = (text: string): boolean => /"continue":false|"cancel":true|"stop":true/.test(text);
  const startOversIn = (text: string): number => text.split("[doomloop] Start over: you were in a loop.").length - 1;
  const lapsOf = (agent: Agent, count: number, output = "cat: notes.md: No such file or directory"): string =>
    JSON.stringify(Array.from({ length: count }, (_, at) => agent.lap(at, undefined, output)));
  const hasEnd = ["claude-code", "gemini-cli", "cline", "opencode", "openclaw"].includes(host);

  it.each([
    ["fails", undefined],
    ["only looks", "nothing found"],
  ])("is told to begin again before it is ended, where the call %s", (_, output) => {
    const agent = agentOf(host, true, { startsOver: true });
    agent.user();
    const text = lapsOf(agent, 7, output);

    expect(startOversIn(text)).toBe(1);
    expect(text).toContain("Don't repeat:");
    expect(isEnded(text)).toBe(false);
    expect(saidIn(agent.lap(8, { command: "ls" }, "a file"))).toBe(false);
  });

  it.each([
    ["lower levels", false, 16],
    ["the levels that users have", true, 42],
  ])("is told once, and ended if it goes on all the same, at %s", (_, isPaced, laps) => {
    const agent = agentOf(host, true, { startsOver: true, isPaced });
    agent.user();
    const text = lapsOf(agent, laps);

    expect(startOversIn(text)).toBe(1);
    expect(isEnded(text)).toBe(hasEnd);
  });

  it("gets another chance when the user has spoken again", () => {
    const agent = agentOf(host, true, { startsOver: true });
    const counts = [1, 2].map(() => {
      agent.user();
      return startOversIn(lapsOf(agent, 7));
    });

    expect(counts).toEqual([1, 1]);
  });

  it("gets none while attended, or where nobody asked for it", () => {
    for (const agent of [agentOf(host, false, { startsOver: true }), agentOf(host, true)]) {
      agent.user();

      expect(startOversIn(lapsOf(agent, 12))).toBe(0);
    }
  });
});

describe("calls that Claude Code rejects before any other event", () => {
  const args = { file_path: "/project/a.ts", old_string: "x", new_string: "y" };
  const rejected = "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>";
  const rejectedLap = (agent: ReturnType<typeof agentOf>, at: number) =>
    agent.hook(claude.batch!(at, "Edit", args, rejected));

  it("are told after the third, and the run is ended where nobody watches", () => {
    const agent = agentOf("claude-code", true);
    agent.user();
    const laps = Array.from({ length: 6 }, (_, at) => rejectedLap(agent, at));

    expect(laps.map(saidIn)).toEqual([false, false, true, true, true, false]);
    expect(laps[2]).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolBatch", additionalContext: expect.stringContaining("[doomloop]") },
    });
    expect(laps.at(-1)).toMatchObject({ continue: false });
  });

  it("bring the last warning once, and no threat of a refusal that cannot come", () => {
    const said = (isUnattended: boolean): (string | undefined)[] => {
      const agent = agentOf("claude-code", isUnattended, { isPaced: true });
      agent.user();
      const laps = Array.from({ length: 60 }, (_, at) => JSON.stringify(rejectedLap(agent, at) ?? {}));
      expect(laps.join("")).not.toContain("refused");
      return laps.map((lap) => /Last warning|continue|\[doomloop\]/.exec(lap)?.[0]);
    };
    const places = (words: readonly (string | undefined)[]) =>
      words.flatMap((word, at) => (word === undefined ? [] : [at + 1]));

    expect(places(said(false))).toEqual([3, 5, 9]);
    const alone = said(true);
    const end = alone.indexOf("continue");
    expect(places(alone.slice(0, end))).toHaveLength(4);
    expect(end).toBeGreaterThan(places(alone.slice(0, end)).at(-1)! + 5);
  });

  it("count as failures, also beside calls that ran", () => {
    const agent = agentOf("claude-code", true);
    agent.user();
    const isTold = [0, 1, 2, 3].map((at) => {
      const [ran, ...answers] = [
        claude.call(at, "Read", { file_path: `/project/${at}.ts` }),
        claude.result(at, "Read", { file_path: `/project/${at}.ts` }, `content ${at}`),
        {
          ...claudeBase,
          hook_event_name: "PostToolBatch",
          tool_calls: [
            { ...claudeCall(at, "Read", { file_path: `/project/${at}.ts` }), tool_response: `content ${at}` },
            { ...claudeCall(100 + at, "Edit", args), tool_response: rejected },
          ],
        },
      ].map(agent.hook);
      expect(ran).toBeUndefined();
      return saidIn(answers);
    });

    expect(isTold).toEqual([false, false, false, true]);
    expect(stateIn(agent.kept())?.finding).toMatchObject({ evidence: { isFailing: true } });
  });

  it("count once if the same answer is reported twice", () => {
    const agent = agentOf("claude-code", true);
    agent.user();

    expect([0, 0, 0, 1, 1].map((at) => rejectedLap(agent, at)).map(saidIn)).toEqual(Array(5).fill(false));
  });
});

describe.each(["claude-code", "qwen-code"] as const)("two hooks of ours in %s", (host) => {
  it.each([true, false])("hear and say what one does, unattended: %s", (isUnattended) => {
    const single = agentOf(host, isUnattended);
    const double = agentOf(host, isUnattended);
    const { hook } = double;
    const said: string[] = [];
    const both = agentOf(host, isUnattended, {
      asked(value) {
        const answers = [hook(value), hook(value)].filter((answer) => answer !== undefined);
        if (answers.length === 2) said.push(JSON.stringify(answers[1]));
        return answers[0];
      },
    });
    // Two hooks take twice the time.
    const lapsOf = ({ lap }: typeof single) =>
      Array.from({ length: 8 }, (_, at) => JSON.stringify(lap(at))?.replaceAll(/ \(\d+ seconds?\)/g, ""));

    expect(lapsOf(both)).toEqual(lapsOf(single));
    // An end is told as often as somebody asks.
    expect(said.filter((answer) => !answer.includes('"continue":false'))).toEqual([]);
  });
});

describe("an input that is nobody's", () => {
  it.each([{}, { hook_event_name: 7 }, { session_id: "s" }, { hook_event_name: "PreToolUse" }, { toolName: "x" }])(
    "is not read: %j",
    (input: Record<string, unknown>) => {
      expect(hookedAgentOf(input, undefined)?.hook.read(input)).toBeUndefined();
    },
  );

  it.each([
    ["claude-code", { prompt: "A task has ended.", source: "system" }],
    ["codex", { prompt: "A task has ended.", source: "system" }],
    ["qwen-code", { prompt: "" }],
  ])("is known as one that does not matter if %s itself wrote the prompt", (host, more) => {
    const input = { hook_event_name: "UserPromptSubmit", session_id: "s", ...more };

    expect(hookedAgentOf(input, host)?.hook.read(input)).toBeNull();
  });

  it("is read as that of the agent that somebody named", () => {
    const input = { hook_event_name: "PreToolUse", session_id: "s", tool_name: "Bash" };

    expect(hookedAgentOf(input, "codex")?.hook.read(input)?.moment.type).toBe("call");
  });
});

describe("a person who is asked", () => {
  const laps = (agent: ReturnType<typeof agentOf>, count: number): string =>
    JSON.stringify(Array.from({ length: count }, (_, at) => agent.lap(at)));

  it("is told what happens, not that something was refused, and is not asked again after a yes", () => {
    const text = laps(agentOf("claude-code", false), 14);

    expect(text.split('"permissionDecision":"ask"')).toHaveLength(2);
    expect(text).toContain(
      "The agent called `Bash` 4 times with the same arguments and got the same result each time. Let it run?",
    );
    expect(text).not.toMatch(/was refused|deny/);
  });
});

describe("a version of Claude Code that does not tell when the calls of an answer are over", () => {
  it("is told of its loop and refused all the same", () => {
    const agent = agentOf("claude-code", true);
    agent.user();
    const answers = Array.from({ length: 8 }, (_, at) => {
      const before = agent.hook(claude.call(at, "Bash", { command: "cat notes.md" }));
      const isRefused = JSON.stringify(before ?? {}).includes("deny");
      return isRefused ? before : agent.hook(claude.result(at, "Bash", { command: "cat notes.md" }, "nothing found"));
    });

    expect(answers.findIndex(saidIn)).toBe(2);
    expect(JSON.stringify(answers)).toContain('"permissionDecision":"deny"');
  });
});
