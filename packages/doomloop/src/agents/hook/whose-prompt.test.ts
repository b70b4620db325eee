import { describe, expect, it } from "vitest";
import { answerEvent, type HookMemory } from "./answer-event.ts";
import { type HookState, readHookState, saveHookState } from "./hook-state.ts";

const BLOCKED = "I cannot go on: the deployment needs a password that I do not have.";
/** More than between two turns that follow each other at once. */
const PAUSE_MS = 5_000;

const AUTOPILOT =
  "You have not yet marked the task as complete using the task_complete tool. If you were planning, stop planning.";

type Answer = Record<string, unknown> | undefined;

/** A hook whose state is saved after each event, on a slow machine. */
function createHook(host: string, mode: "attended" | "unattended" = "attended") {
  const states = new Map<string, unknown>();
  const log: string[] = [];
  let now = 1_000_000;
  const memory: HookMemory = {
    get: (run) => readHookState(states.get(run)),
    set: (run, state: HookState) => void states.set(run, JSON.parse(JSON.stringify(saveHookState(state)))),
    rulesOf: () => ({ tools: {} }),
    now: () => now,
    missedEvents: () => 0,
    reportFault(fault) {
      throw fault;
    },
  };
  return {
    log,
    tell(event: object, afterMs = PAUSE_MS): Answer {
      now += afterMs;
      const answered = answerEvent({ cwd: "/work", ...event }, { host, mode }, memory);
      if (answered?.entry !== undefined) log.push(answered.entry.said);
      return answered?.output as Answer;
    },
  };
}

/** So many answers, from the first, without those that say nothing. */
function many(count: number, one: (at: number) => Answer): [number, Answer][] {
  return Array.from({ length: count }, (_, at): [number, Answer] => [at + 1, one(at)]).filter(
    ([, answer]) => answer !== undefined,
  );
}

describe("a prompt of gemini-cli", () => {
  const createGemini = () => {
    const { tell, log } = createHook("gemini-cli");
    const base = { session_id: "s1" };
    let said: string[] = [];
    return {
      log,
      prompt: (prompt: string, afterMs?: number) => tell({ ...base, hook_event_name: "BeforeAgent", prompt }, afterMs),
      /** A turn of the user's prompt, with all that was said since. */
      turn(text: string, stop_hook_active: boolean, { prompt = "Deploy it.", isNew = !stop_hook_active } = {}) {
        said = isNew ? [text] : [...said, text];
        const prompt_response = said.join("\n");
        return tell({ ...base, hook_event_name: "AfterAgent", prompt, prompt_response, stop_hook_active });
      },
      again: (stop_hook_active: boolean) =>
        tell(
          {
            ...base,
            hook_event_name: "AfterAgent",
            prompt: "Deploy it.",
            prompt_response: said.join("\n"),
            stop_hook_active,
          },
          20,
        ),
      look() {
        const call = { ...base, tool_name: "read_file", tool_input: { path: "plan.md" } };
        tell({ ...call, hook_event_name: "BeforeTool" });
        return tell({ ...call, hook_event_name: "AfterTool", tool_response: { llmContent: "- [ ] deploy it" } });
      },
    };
  };

  it("is another hook's if the turn says so, whatever that hook says and however long it takes", () => {
    const { prompt, turn, log } = createGemini();
    prompt("Deploy it.");
    const said = many(20, (at) => {
      const answer = turn(BLOCKED, at > 0);
      prompt(answer === undefined ? `Not yet: ${"abcdefghijklmnopqrst"[at]} fails.` : `${answer.reason}`);
      return answer;
    });

    expect(said[0]).toEqual([3, { decision: "deny", reason: expect.stringContaining("[doomloop]") }]);
    expect(said.at(-1)).toEqual([20, { continue: false, stopReason: expect.stringMatching(/^Stopped: /) }]);
    expect(log.at(-1)).toBe("end");
  });

  it("is another hook's if it is the same again after turns with calls, which the agent takes for its own", () => {
    const { prompt, turn, look } = createGemini();
    prompt("Deploy it.");
    const ended = many(30, (at) => {
      look();
      const answer = turn(BLOCKED, false, { isNew: at === 0 });
      prompt("Not done yet.");
      return answer;
    }).find(([, answer]) => answer?.continue === false)?.[0];

    expect(ended).toBeGreaterThan(15);
    expect(ended).toBeLessThan(24);
  });

  it("is the user's if the turn says so, even if it is the same each time", () => {
    const { prompt, turn, log } = createGemini();

    expect(
      many(60, () => {
        prompt("Deploy it.");
        return turn(BLOCKED, false);
      }),
    ).toEqual([]);
    expect(log).toEqual([]);
  });

  it("is the user's after the turns were ended, even if it says what the hook says", () => {
    const { prompt, turn } = createGemini();
    const asked = () =>
      many(20, (at) => {
        prompt("Go on.");
        return turn(BLOCKED, at > 0, { prompt: "Go on." });
      });

    expect(asked().at(-1)?.[0]).toBe(20);
    expect(asked()[0]?.[0]).toBe(3);
  });

  it("resets a loop of calls at once, before it is known whose it is", () => {
    const { prompt, turn, look, log } = createGemini();
    prompt("Deploy it.");
    expect([look(), look()]).toEqual([undefined, undefined]);
    turn(BLOCKED, false);
    prompt("Look once more, please.");

    expect([look(), look()]).toEqual([undefined, undefined]);
    expect(log).toEqual([]);
  });

  it("counts once if two hooks of ours report it", () => {
    const { prompt, turn, again } = createGemini();
    prompt("Deploy it.");
    const told = many(4, (at) => {
      const answer = turn(BLOCKED, at > 0);
      const reason = answer === undefined ? `Not yet: ${"abcd"[at]} fails.` : `${answer.reason}`;
      again(at > 0);
      prompt(reason);
      prompt(reason, 20);
      return answer;
    });

    expect(told.map(([at]) => at)).toEqual([3]);
  });
});

describe("a prompt of copilot-cli", () => {
  const createCopilot = () => {
    const { tell, log } = createHook("copilot-cli");
    const base = { sessionId: "s1", timestamp: 1 };
    const prompt = (text: string) => tell({ ...base, prompt: text });
    const turn = (stop_hook_active = false) =>
      tell({ ...base, transcriptPath: "t", stopReason: "end_turn", stop_hook_active });
    return {
      log,
      prompt,
      turn,
      /** A turn, and what the next prompt is answered. */
      turnAnd(next: string, stop_hook_active?: boolean) {
        turn(stop_hook_active);
        return prompt(next);
      },
    };
  };

  it("is told to the autopilot after the third turn, and refused from the 20th on, until a person writes", () => {
    const { prompt, turn, turnAnd, log } = createCopilot();
    prompt("Deploy it.");
    const said = many(25, (at) => {
      if (at < 20) expect(turn()).toBeUndefined();
      return prompt(AUTOPILOT);
    });

    expect(said[0]).toEqual([3, { additionalContext: expect.stringMatching(/\[doomloop\].*`task_complete`/s) }]);
    expect(said.slice(-6).map(([at, answer]) => [at, answer?.decision])).toEqual(
      [20, 21, 22, 23, 24, 25].map((at) => [at, "block"]),
    );
    // What it said in these turns is in no event.
    expect(JSON.stringify(said)).not.toContain("same answer");
    expect(log.filter((entry) => entry === "end")).toHaveLength(1);
    expect(prompt("Deploy it.")).toBeUndefined();
    expect(many(2, () => turnAnd(AUTOPILOT))).toEqual([]);
    expect(many(1, () => turnAnd(AUTOPILOT))).toHaveLength(1);
  });

  it("is another hook's if a turn with it was said to be a continuation", () => {
    const { prompt, turnAnd } = createCopilot();
    prompt("Deploy it.");

    expect(many(4, (at) => turnAnd("Not done yet.", at > 0)).map(([at]) => at)).toEqual([3]);
  });

  it("is the user's otherwise", () => {
    const { turnAnd } = createCopilot();

    expect(many(60, () => turnAnd("Try it once more."))).toEqual([]);
  });
});

describe("a script that calls copilot-cli with its autopilot again and again", () => {
  it("is told in the fourth session, because only the script's prompts are compared", () => {
    const { tell } = createHook("copilot-cli", "unattended");
    const told = many(4, (at) => {
      const base = { sessionId: `s${at}`, timestamp: 1 };
      const turn = { ...base, transcriptPath: "t", stopReason: "end_turn", stop_hook_active: false };
      const answer = tell({ ...base, prompt: "Work on the next open task." });
      tell(turn);
      tell({ ...base, prompt: AUTOPILOT });
      tell(turn);
      return answer;
    });

    expect(told).toEqual([[4, { additionalContext: expect.stringContaining("The last 3 sessions") }]]);
  });
});

describe("a prompt of qwen-code", () => {
  const createQwen = () => {
    const { tell } = createHook("qwen-code");
    const base = { session_id: "s1", prompt_id: "s1########0" };
    return {
      prompt: (prompt: string, more = {}) => tell({ ...base, hook_event_name: "UserPromptSubmit", prompt, ...more }),
      turn: () => tell({ ...base, hook_event_name: "Stop", last_assistant_message: BLOCKED }),
    };
  };

  it("is another hook's if it has the id of the one before, and is refused after the 20th turn", () => {
    const { prompt, turn } = createQwen();
    prompt("Deploy it.", { submitted_prompt: "Deploy it." });
    const said = many(20, (at) => {
      expect(turn()).toBeUndefined();
      return prompt(`Not yet: ${"abcdefghijklmnopqrst"[at]} fails.`);
    });

    expect(said[0]?.[0]).toBe(3);
    expect(said.at(-1)).toEqual([20, { decision: "block", reason: expect.stringMatching(/^Stopped: /) }]);
  });

  it("is the user's if it was submitted, even if a resumed session uses the id again", () => {
    const { prompt, turn } = createQwen();
    const answers = many(60, () => {
      turn();
      return prompt("Deploy it.", { submitted_prompt: "Deploy it." });
    });

    expect(answers).toEqual([]);
  });
});
