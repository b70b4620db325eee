import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookAnswer } from "../hook/dialect.ts";
import type { HookState } from "../hook/hook-state.ts";
import { runHook } from "../hook/run-hook.ts";
import { antigravityCliHook } from "./hook.ts";

const CONVERSATION = "7f0c1c52-11aa-4c0f-8f1c-0d5d8d1f2a33";
const LAP_MS = 5000;

let folder: string;
let transcript: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-agy-"));
  transcript = transcriptIn(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function transcriptIn(home: string, conversation = CONVERSATION): string {
  const path = join(home, "brain", conversation, ".system_generated", "logs", "transcript.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  return path;
}

/** A conversation: its transcript grows, and hooks run before and after each answer. */
function conversation(isUnattended = true) {
  let saved: HookState | undefined;
  let index = 0;
  let now = 0;
  const write = (record: object): void =>
    appendFileSync(transcript, `${JSON.stringify({ step_index: index++, status: "DONE", ...record })}\n`);
  const prompt = (content: string): void => write({ source: "USER_EXPLICIT", type: "USER_INPUT", content });
  const hook = (more: object = {}): HookAnswer => {
    const input = antigravityCliHook.read({
      conversationId: CONVERSATION,
      workspacePaths: ["/project"],
      transcriptPath: transcript,
      invocationNum: 1,
      initialNumSteps: index,
      ...more,
    })!;
    const settings = { isUnattended, guardOptions: {}, now, reportFault: (fault: unknown) => expect(fault).toBe(0) };
    const { state, answer } = runHook(input, antigravityCliHook, settings, saved);
    saved = state;
    return answer;
  };
  const call = (name: string, args: object): void =>
    write({ source: "MODEL", type: "PLANNER_RESPONSE", tool_calls: [{ name, args }] });
  const result = (content: string): void => write({ source: "MODEL", type: "GENERIC", content });
  const lap = (name: string, args: object, content: string): readonly HookAnswer["type"][] => {
    now += LAP_MS;
    const before = hook().type;
    call(name, args);
    result(content);
    return [before, hook().type];
  };
  return { prompt, hook, call, result, lap };
}

describe("the hook of Antigravity CLI", () => {
  it("finds a loop in the transcript, tells the model, and ends the run", () => {
    const { prompt, lap } = conversation();
    prompt("Fix it.");
    const answers = Array.from({ length: 25 }, () =>
      lap("view_file", { AbsolutePath: "/project/a.ts" }, "const a = 1;"),
    ).flat();

    expect(answers.indexOf("words")).toBeGreaterThan(3);
    expect(answers.indexOf("end")).toBeGreaterThan(answers.indexOf("words"));
    expect(answers).not.toContain("refusal");
  });

  it("counts each call once, however often its step is read", () => {
    const { lap, hook } = conversation();
    for (let at = 0; at < 2; at++) lap("view_file", { AbsolutePath: "/project/a.ts" }, "const a = 1;");

    expect(Array.from({ length: 40 }, () => hook().type)).toEqual(Array(40).fill("nothing"));
  });

  it("leaves work alone that brings something new", () => {
    const { lap } = conversation();
    const answers = Array.from({ length: 80 }, (_, at) =>
      lap("view_file", { AbsolutePath: `/project/${at}.ts` }, `export const value${at} = "${at * 7919}";`),
    ).flat();

    expect(new Set(answers)).toEqual(new Set(["nothing"]));
  });

  it("goes on after the user spoke, even in a run that was ended", () => {
    const { prompt, lap } = conversation();
    prompt("Fix it.");
    const again = () => lap("view_file", { AbsolutePath: "/project/a.ts" }, "const a = 1;");
    for (let at = 0; at < 25; at++) again();
    expect(again()).toContain("end");
    prompt("Read it again.");

    expect(again()).toEqual(["nothing", "nothing"]);
  });

  it.each([
    { title: "longer than the part that it reads", output: "x".repeat(4000) },
    { title: "of more calls than it remembers", output: "nothing" },
  ])("hears the words of the user once in a turn that is $title", ({ output }) => {
    const { prompt, lap } = conversation(false);
    prompt("Fix it.");
    const answers = Array.from({ length: 200 }, () => lap("view_file", { AbsolutePath: "/project/a.ts" }, output));

    // Words come at growing distances. If the user had spoken, they would begin anew.
    const told = answers.flatMap((said, at) => (said.includes("words") ? [at + 1] : []));
    expect(told).toEqual([3, 5, 9, 17, 33, 65, 129]);
  });

  it("counts a call when its result is written, however late that is", () => {
    const { call, result, hook } = conversation();
    const answers = [1, 2, 3].map(() => {
      call("view_file", { AbsolutePath: "/project/a.ts" });
      const before = hook().type;
      result("const a = 1;");
      return [before, hook().type];
    });

    expect(answers.flat()).toEqual([...Array(5).fill("nothing"), "words"]);
  });

  it("answers as both of its events expect", () => {
    const input = antigravityCliHook.read({ conversationId: "c", invocationNum: 0 })!;

    expect(antigravityCliHook.write({ type: "words", words: "Stop." }, input)).toEqual({
      injectSteps: [{ ephemeralMessage: "Stop." }],
    });
    expect(antigravityCliHook.write({ type: "end", explanation: "It loops." }, input)).toEqual({
      injectSteps: [{ ephemeralMessage: "It loops." }],
      terminationBehavior: "terminate",
    });
    expect(antigravityCliHook.write({ type: "nothing" }, input)).toBe(undefined);
  });

  it.each([
    { title: "the end of a turn", input: { executionNum: 1, terminationReason: "model_stop", fullyIdle: true } },
    { title: "a call", input: { stepIdx: 3, toolCall: { name: "run_command", args: {} } } },
    { title: "no conversation", input: { conversationId: "", invocationNum: 0 } },
  ])("ignores what it has no use for: $title", ({ input }) => {
    expect(antigravityCliHook.read({ conversationId: CONVERSATION, ...input })).toBe(undefined);
  });
});

describe("the transcript that an event names", () => {
  const read = (transcriptPath: unknown, conversationId = CONVERSATION) =>
    antigravityCliHook.read({ conversationId, invocationNum: 0, transcriptPath })?.moment;
  const NOTHING = { type: "batch", results: [], earlier: [] };
  const PROMPT = '{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","content":"hello"}\n';

  it("is read if it belongs to the conversation", () => {
    writeFileSync(transcript, `{"torn\n${PROMPT}{"step_index":1,`);

    expect(read(transcript)).toEqual({
      ...NOTHING,
      earlier: [{ id: "step 0", moment: { type: "user", text: "hello" } }],
    });
  });

  it("is not read if it is anything else", () => {
    writeFileSync(join(folder, "notes.jsonl"), PROMPT);
    writeFileSync(transcript, PROMPT);
    const other = transcriptIn(folder, "other");
    rmSync(other);
    symlinkSync(folder, other);

    for (const path of [
      undefined,
      7,
      "",
      "transcript.jsonl",
      join(folder, "notes.jsonl"),
      join(folder, "gone"),
      `/${transcript}`,
    ])
      expect(read(path)).toEqual(NOTHING);
    expect(read(transcript, "other")).toEqual(NOTHING);
    expect(read(other, "other")).toEqual(NOTHING);
  });
});
