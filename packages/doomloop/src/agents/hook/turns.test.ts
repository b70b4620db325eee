import { describe, expect, it } from "vitest";
import { createHookMemory } from "../../../../../test/hook-memory.ts";
import { answerEvent, type HookWiring } from "./answer-event.ts";

const BLOCKED = "I cannot go on: the deployment needs a password that I do not have.";
const SECOND = 1_000;
const MINUTE = 60_000;

/** A hook of Claude Code with a clock of its own. */
function createHook(wiring: HookWiring = {}) {
  const log: (string | undefined)[] = [];
  let news = 0;
  let now = 1_000_000;
  const memory = createHookMemory(() => now);
  const tell = (hook_event_name: string, fields: object, session = "s1"): Record<string, unknown> | undefined => {
    const event = { session_id: session, transcript_path: "t.jsonl", cwd: "/work", hook_event_name, ...fields };
    const answered = answerEvent(event, { host: "claude-code", ...wiring }, memory);
    if (answered?.entry !== undefined) log.push(answered.entry.said);
    if (answered?.entry?.said === "end" && answered.isOldNews !== true) news++;
    return answered?.output as Record<string, unknown> | undefined;
  };
  return {
    log,
    /** How often the person was told of an end. */
    news: () => news,
    wait(ms: number) {
      now += ms;
    },
    user: (prompt: string, session?: string) => tell("UserPromptSubmit", { prompt }, session),
    turn(last_assistant_message: string, session?: string) {
      now += 5 * SECOND;
      return tell("Stop", { last_assistant_message, stop_hook_active: true }, session);
    },
    look(command: string, output: string, session?: string, cwd = "/work") {
      now += SECOND;
      const call = { cwd, tool_name: "Bash", tool_input: { command }, tool_use_id: `c${now}` };
      const refused = tell("PreToolUse", call, session);
      if (refused !== undefined) return refused;
      tell("PostToolUse", { ...call, tool_response: { stdout: output, stderr: "" } }, session);
      return tell("PostToolBatch", { tool_calls: [{ ...call, tool_response: output }] }, session);
    },
  };
}

type Hook = ReturnType<typeof createHook>;

/** The answers to so many turns that the agent takes by itself, as far as there are any. */
function turns(hook: Hook, count: number, text: (at: number) => string = () => BLOCKED): [number, unknown][] {
  return Array.from({ length: count }, (_, at): [number, unknown] => [at + 1, hook.turn(text(at))]).filter(
    ([, answer]) => answer !== undefined,
  );
}

describe("turns that nobody asked for", () => {
  it("are told of at the third that ends alike, and are ended, also where a person might watch", () => {
    const hook = createHook();
    hook.user("Deploy it.");
    // Nothing could take the words of a second chance.
    const other = createHook({ mode: "unattended", startsOver: true });
    other.user("Deploy it.");

    const said = turns(hook, 20);
    expect(turns(other, 20).at(-1)).toEqual(said.at(-1));

    expect(said[0]).toEqual([3, { decision: "block", reason: expect.stringContaining("[doomloop]") }]);
    expect(said.at(-1)).toEqual([
      20,
      {
        continue: false,
        stopReason: expect.stringMatching(/^Stopped: .* To go on, write to the agent\.$/),
        systemMessage: expect.any(String),
      },
    ]);
    expect(said.length).toBeLessThan(7);
    expect(hook.log.at(-1)).toBe("end");
  });

  it("count however long each takes, but not if they keep a schedule", () => {
    const turn = (hook: Hook, ms: number) => {
      hook.wait(ms);
      return hook.turn(BLOCKED);
    };
    const [slow, hourly] = [createHook(), createHook()];
    for (const hook of [slow, hourly]) hook.user("Watch the queue.");

    expect(Array.from({ length: 20 }, () => turn(slow, 2 * MINUTE)).at(-1)).toMatchObject({ continue: false });
    expect(Array.from({ length: 60 }, () => turn(hourly, 60 * MINUTE)).filter(Boolean)).toEqual([]);
  });

  it("count again from the first when the user speaks, even with the same words", () => {
    const hook = createHook();
    const answers = Array.from({ length: 60 }, () => {
      hook.wait(4 * SECOND);
      hook.user("Please try to deploy it once more.");
      return hook.turn(BLOCKED);
    });

    expect(answers.filter((answer) => answer !== undefined)).toEqual([]);
  });

  it("count again from the first if somebody makes the agent go on after the end", () => {
    const hook = createHook();
    hook.user("Deploy it.");
    turns(hook, 20);

    expect(turns(hook, 2)).toEqual([]);
    expect(turns(hook, 1)).toHaveLength(1);
  });

  it("are left alone for 300 turns that do something", () => {
    const hook = createHook();
    hook.user("Translate the 300 pages.");
    for (let at = 0; at < 300; at++) {
      hook.look(`./translate.sh page-${at}.md`, `page-${at}.md: ${at * 7 + 3} words translated`);
      expect(hook.turn("One more page is done.")).toBeUndefined();
    }
    expect(hook.log).toEqual([]);
  });

  it("are ended as well if each of them looks at the same thing first", () => {
    const hook = createHook();
    hook.user("Deploy it.");
    const ended = Array.from({ length: 30 }, () => {
      hook.look("cat plan.md", "- [x] build the image\n- [ ] deploy it with the password of the deployment user");
      return hook.turn(BLOCKED);
    }).findIndex((answer) => answer?.continue === false);

    expect(ended).toBeGreaterThan(15);
  });

  it("are counted once if two hooks of ours report each of them", () => {
    const hook = createHook();
    hook.user("Deploy it.");
    const twice = Array.from({ length: 2 }, () => {
      const first = hook.turn(BLOCKED);
      hook.wait(-5 * SECOND + 20);
      return [first, hook.turn(BLOCKED)];
    });

    expect(twice.flat()).toEqual([undefined, undefined, undefined, undefined]);
  });
});

it("takes a script for one that sends the same prompt to one session again and again", () => {
  const hook = createHook({ mode: "unattended" });
  const answers = Array.from({ length: 30 }, () => {
    hook.wait(3 * SECOND);
    const told = hook.user("Work on the next open task.");
    if (told?.continue !== false) expect(hook.turn("All is done.")).toBeUndefined();
    return told;
  });

  // Words at the end of a turn would make a program that is done go on.
  expect(answers[3]).toMatchObject({ hookSpecificOutput: { hookEventName: "UserPromptSubmit" } });
  expect(answers.slice(20).every((answer) => answer?.continue === false)).toBe(true);
  expect(answers.slice(0, 20).some((answer) => answer?.continue === false)).toBe(false);
  expect(hook.log.filter((entry) => entry === "end")).toHaveLength(1);
  expect(hook.news()).toBe(1);
});

describe("sessions that a script starts", () => {
  const session = (hook: Hook, at: number, answer = "All is done.", prompt = "Work on the next open task.") => {
    const told = hook.user(prompt, `session-${at}`);
    if (told?.continue === false) return told;
    hook.look("cat tasks.md", "- [x] everything", `session-${at}`);
    hook.turn(answer, `session-${at}`);
    hook.wait(2 * SECOND);
    return told;
  };
  const many = (count: number, one: (at: number) => unknown) =>
    Array.from({ length: count }, (_, at): [number, unknown] => [at + 1, one(at)]).filter(
      ([, answer]) => answer !== undefined,
    );

  it("are told after the third that ends alike, and refused after the twentieth", () => {
    const hook = createHook({ mode: "unattended" });
    const said = many(40, (at) => session(hook, at));

    expect(said[0]).toEqual([
      4,
      {
        hookSpecificOutput: {
          hookEventName: "UserPromptSubmit",
          additionalContext: expect.stringMatching(/^\[doomloop\] The last 3 sessions /),
        },
      },
    ]);
    expect(said.find(([, answer]) => (answer as { continue?: boolean }).continue === false)?.[0]).toBe(21);
    expect(said.at(-1)?.[0]).toBe(40);
    // Each refused session has its line, and the person is told once.
    expect(hook.log.filter((entry) => entry === "end")).toHaveLength(20);
    expect(hook.news()).toBe(1);
  });

  it.each<[string, (hook: Hook, at: number) => unknown]>([
    ["get other prompts", (hook, at) => session(hook, at, "Done.", `Summarise chapter ${"abcdefgh"[at % 8]}${at}.`)],
    [
      "answer something else",
      (hook, at) => session(hook, at, `${"The quick brown fox jumps over it".split(" ")[at % 7]} ${"x".repeat(at)}`),
    ],
    [
      "come every minute",
      (hook, at) => {
        hook.wait(MINUTE);
        return session(hook, at);
      },
    ],
    ["differ in a number only", (hook, at) => session(hook, at, `Ticket ${4000 + at} is closed.`)],
    [
      "see something else, whatever they call it",
      (hook, at) => {
        const told = hook.user("Test and commit.", `session-${at}`);
        hook.look("make test && git commit -am done", `[main ${at}f3] done`, `session-${at}`);
        hook.turn("Done.", `session-${at}`);
        return told;
      },
    ],
    [
      "work in another folder",
      (hook, at) => {
        const told = hook.user("Do the next task.", `session-${at}`);
        hook.look("echo x >> ../done.txt", "", `session-${at}`, "/project/packages/a");
        hook.turn("Done.", `session-${at}`);
        return told;
      },
    ],
    [
      "do something",
      (hook, at) => {
        const told = hook.user("Work on the next open task.", `session-${at}`);
        hook.look(`./build.sh task-${at}`, `task ${at} is built`, `session-${at}`);
        hook.turn("Done.", `session-${at}`);
        return told;
      },
    ],
    [
      "run side by side",
      (hook, at) => {
        const told = hook.user("Review this.", `session-${at}`);
        if (at > 0) hook.turn("No remarks.", `session-${at - 1}`);
        return told;
      },
    ],
  ])("are left alone if they %s", (_, one) => {
    const hook = createHook({ mode: "unattended" });

    expect(many(60, (at) => one(hook, at))).toEqual([]);
  });

  it("are left alone where a person may have started them", () => {
    const hook = createHook();

    expect(many(60, (at) => session(hook, at))).toEqual([]);
  });

  it("may start again after a minute", () => {
    const hook = createHook({ mode: "unattended" });
    many(25, (at) => session(hook, at));
    hook.wait(61 * SECOND);

    expect(many(3, (at) => session(hook, 100 + at))).toEqual([]);
  });
});
