import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { LoopStop } from "../../host/host-options.ts";
import { type AgentEvent, createGuard } from "../../index.ts";
import { guard, loopStop } from "./guard.ts";

const WORDS = "[doomloop]";
const BLOCKED = `${WORDS} Not run:`;
/** Each answer climbs one rung, so six calls reach all of them. */
const QUICK = { levels: { told: 3, refused: 5, ended: 6 } } as const;
/** Long enough to prove that nothing happened when it comes again, whatever the tool does. */
const SAME =
  "README.md  package.json  package-lock.json  tsconfig.json  vitest.config.ts  src  test  docs  examples  scripts\n".repeat(
    2,
  );

/** Builders for messages of Chat Completions. */
const user = (content = "go"): object => ({ role: "user", content });
const call = (...ids: string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({
    id,
    type: "function",
    function: { name: "read_file", arguments: '{"path":"a.ts"}' },
  })),
});
const result = (id: string, content: unknown = "nothing found"): object => ({
  role: "tool",
  tool_call_id: id,
  content,
});
const text = (content: string): object => ({ role: "assistant", content });

/** The same call with the same answer, `count` times. */
const laps = (count: number, from = 1, content = "nothing found"): object[] =>
  Array.from({ length: count }, (_, at) => [call(`c${from + at}`), result(`c${from + at}`, content)]).flat();

/** The same after the guard has nudged: from the third on, results contain its words. */
const TOLD = `${WORDS} You have made this call before.`;
const toldLaps = (count: number, id: (at: number) => string = (at) => `c${at}`): object[] =>
  Array.from({ length: count }, (_, at) => [
    call(id(at + 1)),
    result(id(at + 1), at < 2 ? SAME : `${SAME}\n\n${TOLD}`),
  ]).flat();

/** A guard that records the events it observes. */
function recording() {
  const events: string[] = [];
  const own = createGuard();
  const observe = (event: AgentEvent) => {
    events.push("id" in event ? `${event.type} ${event.id}` : event.type);
    return own.observe(event);
  };
  return { events, own: { ...own, observe } };
}

const wordsIn = (items: readonly object[]): boolean[] => items.map((item) => JSON.stringify(item).includes(WORDS));

describe("guard, on what is new", () => {
  it("observes the same in a list, however it grows and whether or not it is copied", () => {
    fc.assert(
      fc.property(script(), style(), fc.infiniteStream(fc.boolean()), (answers, idOf, coins) => {
        const list = listOf(answers, idOf);
        const whole = recording();
        guard(structuredClone(list), { createGuard: () => whole.own })();
        const grown = recording();
        const observe = guard<object>([], { createGuard: () => grown.own });
        const growing: object[] = [];
        for (const message of list) {
          growing.push(message);
          if (coins.next().value) observe(coins.next().value ? structuredClone(growing) : growing);
        }
        observe(growing);

        expect(told(grown.events, idOf)).toEqual(told(whole.events, idOf));
      }),
      { numRuns: Math.ceil(propertyRuns() / 10) },
    );
  });

  it("observes the same if it gets only the new items, or only the end", () => {
    fc.assert(
      fc.property(script(), style(), fc.integer({ min: 3, max: 8 }), (answers, idOf, width) => {
        const list = listOf(answers, idOf);
        const whole = recording();
        guard(structuredClone(list), { guard: whole.own })();
        const pieces = recording();
        const observePieces = guard<object>([], { guard: pieces.own });
        for (const piece of piecesOf(list)) observePieces(structuredClone(piece));
        const window = recording();
        const observeWindow = guard<object>([], { guard: window.own });
        list.forEach((_, at) => void observeWindow(structuredClone(list.slice(Math.max(0, at - width), at + 1))));

        const calls = callsIn(told(whole.events, idOf));
        expect(callsIn(told(pieces.events, idOf))).toEqual(calls);
        // If ids are not unique, new items may be missed, but nothing counts twice.
        if (idOf === unique) expect(callsIn(told(window.events, idOf))).toEqual(calls);
        else expect(callsIn(told(window.events, idOf)).length).toBeLessThanOrEqual(calls.length);
      }),
      { numRuns: Math.ceil(propertyRuns() / 10) },
    );
  });

  it("continues a conversation whose list is built again", () => {
    const observe = guard<object>([], QUICK);
    const requests = [1, 2, 3, 4, 5].map((count) => {
      const list = [user(), ...laps(count)];
      observe(list);
      return list;
    });

    expect(requests[1]?.some((item) => wordsIn([item])[0])).toBe(false);
    expect(wordsIn(requests[2]!)).toEqual([false, false, false, false, false, false, true]);
    // The words stay where the model has read them.
    expect(requests[3]?.slice(0, 7)).toEqual(requests[2]);
    expect(requests[4]?.slice(0, 9)).toEqual(requests[3]);
  });

  it("keeps conversations apart, even if their ids are the same", () => {
    const lists = [[user("one")], [user("two")], [user("three")]];
    const conversations = lists.map((list) => guard(list, QUICK));
    for (let at = 1; at <= 2; at++) {
      for (const [index, observe] of conversations.entries()) {
        lists[index]!.push(...laps(1, at));
        observe();
      }
    }

    expect(lists.map((list) => wordsIn(list).includes(true))).toEqual([false, false, false]);
  });

  it("throws without a list", () => {
    expect(() => guard({ preset: "balanced" } as never)).toThrow(
      "guard: a list of messages or items is required, got object",
    );
  });

  it("nudges and ends runs if it is called only before requests, after calls have run", () => {
    const downgrades: string[] = [];
    const list: object[] = [user()];
    const observe = guard(list, {
      ...QUICK,
      onDowngrade: ({ decided, done }) => void downgrades.push(`${decided} ${done}`),
    });
    const seen = Array.from({ length: 8 }, (_, at) => {
      list.push(...laps(1, at + 1));
      const { isOver } = observe();
      return isOver ? "over" : String(wordsIn(list.slice(-1))[0]);
    });

    expect(seen.slice(0, 4)).toEqual(["false", "false", "true", "true"]);
    expect(seen).toContain("over");
    expect(downgrades).toEqual(["block nudge"]);
  });
});

describe("guard, on pauses", () => {
  afterEach(() => void vi.restoreAllMocks());

  /** A clock that the test controls. */
  function clock() {
    let at = 1000;
    vi.spyOn(performance, "now").mockImplementation(() => at);
    return {
      pass(ms: number) {
        at += ms;
      },
    };
  }

  const ask = (id: string, name: string, args: object = {}): object => ({
    role: "assistant",
    content: null,
    tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
  });

  it("lets a program poll that sleeps after results", () => {
    const { pass } = clock();
    const list: object[] = [user("Tell me when mail comes.")];
    const observe = guard(list);
    for (let poll = 0; poll < 12; poll++) {
      observe();
      pass(2000);
      list.push(ask(`c${poll}`, "check_inbox"));
      observe();
      pass(100);
      list.push(result(`c${poll}`, "no new messages"));
      pass(30_000);
    }

    expect(observe().isOver).toBe(false);
    expect(wordsIn(list)).not.toContain(true);
  });

  it("lets a program continue polling after a restart, with one nudge at most", () => {
    const { pass } = clock();
    const list: object[] = [user("Tell me when mail comes.")];
    let observe = guard(list);
    for (let poll = 0; poll < 16; poll++) {
      if (poll === 8) {
        observe = guard(list);
        pass(600_000);
      }
      observe(list);
      pass(30_000);
      list.push(ask(`c${poll}`, "check_inbox"));
      expect(observe(list).calls).toHaveLength(1);
      pass(100);
      list.push(result(`c${poll}`, "no new messages"));
    }

    expect(observe(list).isOver).toBe(false);
    expect(wordsIn(list).filter(Boolean).length).toBeLessThanOrEqual(1);
  });
});

describe("guard, on lists that it did not see grow", () => {
  const reads = Array.from({ length: 10 }, (_, at) => [
    {
      role: "assistant",
      tool_calls: [{ id: `r${at}`, function: { name: "read_file", arguments: `{"path":"${at}"}` } }],
    },
    result(`r${at}`, `content of ${at}`),
  ]).flat();

  it("ends no run for a loop that the agent was not told about", () => {
    const stops: LoopStop[] = [];
    const list = [user(), ...laps(9), ...reads];
    const observe = guard(list, { ...QUICK, onStop: (stop) => void stops.push(stop) });

    expect(observe().isOver).toBe(false);
    expect(wordsIn(list)).not.toContain(true);
    list.push(call("again"));
    expect(observe().calls).toHaveLength(1);
    expect(stops).toEqual([]);
  });

  it.each([true, false])(
    "nudges at once, and again before it blocks if the loop continues, with its own guard: %s",
    (isOwn) => {
      const list = [user(), ...laps(7)];
      const observe = guard(list, isOwn ? QUICK : { guard: createGuard(QUICK) });
      observe();
      const done = [wordsIn(list.slice(-1))[0] ? "told" : "ran"];
      for (let at = 8; at < 20 && !done.includes("over"); at++) {
        list.push(call(`c${at}`));
        const { calls, isOver } = observe();
        if (calls.length > 0) list.push(result(`c${at}`));
        observe();
        done.push(isOver ? "over" : calls.length === 0 ? "blocked" : wordsIn(list.slice(-1))[0] ? "told" : "ran");
      }

      expect([...new Set(done)]).toEqual(["told", "blocked", "over"]);
    },
  );

  it("refuses nothing to a polling agent with a process for each request, and rarely nudges", () => {
    const list: object[] = [user("Look after my mail.")];
    const inbox = { name: "check_inbox", arguments: "{}" };
    for (let at = 0; at < 20; at++) {
      const observe = guard(list);
      expect(observe().isOver).toBe(false);
      list.push({ role: "assistant", tool_calls: [{ id: `c${at}`, type: "function", function: inbox }] });
      expect(observe().calls).toHaveLength(1);
      list.push(result(`c${at}`, "no new messages"));
    }

    expect(wordsIn(list).filter(Boolean).length).toBeLessThanOrEqual(5);
  });

  it("treats a call as refused if the list shows that, whatever it would decide itself", () => {
    const results: AgentEvent[] = [];
    const own = createGuard();
    const observe = (event: AgentEvent) => {
      if (event.type === "result") results.push(event);
      return own.observe(event);
    };
    guard([user(), ...laps(1), call("c2"), result("c2", BLOCKED), ...laps(1, 3)], { guard: { ...own, observe } })();

    expect(results).toMatchObject([{ synthetic: undefined }, { id: "c2", synthetic: true }, { synthetic: undefined }]);
  });
});

describe("guard, on lists that were compacted or edited", () => {
  it("does not take a summary for words of the user if nothing is left", () => {
    const { events, own } = recording();
    const observe = guard<object>([], { guard: own });
    observe([user(), ...laps(3)]);
    events.length = 0;
    observe([{ role: "system", content: "You are." }, user("Summary: three calls were made.")]);
    observe([{ role: "system", content: "You are." }, user("Summary: three calls were made."), call("c4")]);

    expect(events).toEqual(["compaction", "round", "call c4"]);
  });

  it("continues after an end when the user speaks, even if nothing is left", () => {
    const observe = guard<object>([], QUICK);
    const list = [user(), ...toldLaps(9)];
    const ended = observe(list);
    const later = observe([{ role: "system", content: "You are." }, user("Go on.")]);

    expect([ended.isOver, later.isOver]).toEqual([true, false]);
  });

  it("does not count calls twice that come back with other ids", () => {
    const { events, own } = recording();
    const observe = guard<object>([], { guard: own });
    observe([user(), ...laps(2)]);
    events.length = 0;
    observe([user(), ...laps(2, 101)]);

    expect(events).toEqual(["compaction"]);
  });

  it("leaves a cleared output alone, even if it had words", () => {
    const list = [user(), ...laps(3)];
    const observe = guard(list);
    observe();
    list[6] = result("c3", "(cleared)");
    list.push(call("d1"));
    observe();

    expect(list[6]).toEqual(result("c3", "(cleared)"));
  });

  it("continues from an earlier message if an answer was taken back", () => {
    const { events, own } = recording();
    const observe = guard<object>([], { guard: own });
    observe([user(), ...laps(2)]);
    events.length = 0;
    observe([user(), ...laps(1), call("again")]);

    expect(events).toEqual(["compaction", "round", "call again"]);
  });

  it("observes the user, but not a reminder that the program adds after results", () => {
    const { events, own } = recording();
    const observe = guard<object>([], { guard: own });
    observe([user(), ...laps(1), user("Remember the task."), ...laps(1, 2), text("Done."), user("And now?")]);

    expect(events.filter((event) => event === "user")).toHaveLength(2);
  });
});

describe("guard, on who speaks", () => {
  const ASKED = [
    "show my cart",
    "and now?",
    "did the pen arrive?",
    "cart please",
    "once more",
    "is it still there?",
    "again",
  ];

  it("observes a user who speaks right after results", () => {
    const list: object[] = [];
    const observe = guard(list);
    for (const [at, question] of ASKED.entries()) {
      list.push(user(question));
      observe();
      list.push(call(`c${at}`));
      expect(observe().calls).toHaveLength(1);
      list.push(result(`c${at}`));
    }

    expect(wordsIn(list)).not.toContain(true);
  });

  it("recognises a reminder that contains a counter", () => {
    const list: object[] = [user()];
    const observe = guard(list, QUICK);
    const over = ASKED.map((_, at) => {
      list.push(call(`c${at}`));
      const { calls, isOver } = observe();
      if (calls.length > 0) list.push(result(`c${at}`));
      list.push(user(`Step ${at + 1} is done. Keep the task in mind.`));
      observe();
      return isOver;
    });

    expect(over).toContain(true);
  });

  it("treats a new list after a final answer as a new conversation", () => {
    const list: object[] = [];
    const observe = guard(list);
    for (let day = 0; day < 12; day++) {
      list.splice(0, list.length, user("daily report"));
      observe();
      list.push(call(`day-${day}`));
      expect(observe().calls).toHaveLength(1);
      list.push(result(`day-${day}`));
      observe();
      list.push(text("Here is the report."));
      observe();
      expect(loopStop(observe)).toBeUndefined();
      expect(wordsIn(list)).not.toContain(true);
    }
  });
});

describe("guard, on what it writes", () => {
  it("changes no message, and replaces the one that carries words", () => {
    const list = [user(), ...laps(3, 1, SAME)].map((item) => Object.freeze(item));
    const before = [...list];
    guard(list)();

    expect(list.slice(0, 6)).toEqual(before.slice(0, 6));
    expect(before[6]).toEqual(result("c3", SAME));
    expect(list[6]).toMatchObject({ role: "tool", tool_call_id: "c3" });
    expect(wordsIn(list)).toEqual([false, false, false, false, false, false, true]);
  });

  it("adds a part of the right type to a result in parts", () => {
    const chat = [user(), ...laps(2), call("c3"), result("c3", [{ type: "text", text: SAME }])];
    chat[2] = result("c1", [{ type: "text", text: SAME }]);
    chat[4] = result("c2", [{ type: "text", text: SAME }]);
    guard(chat)();
    const output = [{ type: "input_text", text: SAME }];
    const items = [1, 2, 3].flatMap((at) => [
      { type: "function_call", call_id: `c${at}`, name: "look_up", arguments: "{}" },
      { type: "function_call_output", call_id: `c${at}`, output },
    ]);
    guard(items)();

    expect((chat[6] as { content: object[] }).content).toMatchObject([{ type: "text" }, { type: "text" }]);
    expect(items[5]).toMatchObject({ output: [{ type: "input_text" }, { type: "input_text" }] });
    expect(JSON.stringify(items[5])).toContain(WORDS);
    expect(output).toHaveLength(1);
  });

  it("writes a message if there is no result, and does not take it for the user's", () => {
    const { events, own } = recording();
    const list: object[] = [user()];
    const observe = guard(list, { guard: own });
    for (let at = 0; at < 4; at++) {
      list.push(text("I will now fix the bug."));
      observe();
      list.push({ role: "developer", content: "There is no one to answer you." });
      observe();
    }
    const written = list.filter((item) => wordsIn([item])[0]);

    expect(written.length).toBeGreaterThan(0);
    expect(written[0]).toMatchObject({ role: "user" });
    expect(events.filter((event) => event === "user")).toHaveLength(1);
  });

  it("answers every open call when it ends the run, so that the conversation can continue", () => {
    const stops: LoopStop[] = [];
    const list: object[] = [user()];
    const observe = guard(list, { ...QUICK, onStop: (stop) => void stops.push(stop) });
    for (let at = 1; at <= 5; at++) {
      list.push(...laps(1, at).slice(0, 1));
      for (const { id } of observe().calls as { id: string }[]) list.push(result(id));
      observe();
    }
    const other = { id: "other", type: "function", function: { name: "read_page", arguments: '{"page":1}' } };
    const { tool_calls } = call("c6");
    list.push({ role: "assistant", content: null, tool_calls: [other, ...tool_calls] });
    const { calls, answers, isOver } = observe();

    expect(calls).toEqual([]);
    expect(answers).toMatchObject([{ tool_call_id: "other" }, { tool_call_id: "c6" }]);
    expect(list.slice(-2)).toEqual(answers);
    expect(isOver).toBe(true);
    expect(loopStop(observe)).toBe(stops[0]);

    list.push(user("go on"), call("c7"));
    expect(observe().isOver).toBe(false);
    expect(loopStop(observe)).toBeUndefined();
  });

  it("lets every call run if the list is read-only, and reports that once", () => {
    const faults: unknown[] = [];
    const list = Object.freeze([user(), ...toldLaps(4), call("c5")]) as object[];
    const observe = guard(list, { ...QUICK, onFault: (fault) => void faults.push(fault) });

    expect(observe().calls).toHaveLength(1);
    expect(observe().calls).toHaveLength(1);
    expect(faults).toHaveLength(1);
  });

  it("ignores items that are not messages", () => {
    const faults: unknown[] = [];
    const observe = guard<object>([], { onFault: (fault) => void faults.push(fault) });
    const strange = [null, 1, "text", {}, { role: 1 }, { role: "assistant", tool_calls: [null, {}, { id: 1 }] }, []];

    expect(observe([...strange, user(), call("c1")]).calls).toHaveLength(1);
    expect(faults).toEqual([]);
  });
});

describe("guard, if ids of calls are not unique", () => {
  const again = (id: string, count: number): object[] =>
    Array.from({ length: count }, () => [call(id), result(id)]).flat();

  it.each(["call_0", ""])("answers a blocked call, and again in a list that lost the answer, with id %j", (id) => {
    const observe = guard<object>([], QUICK);
    const list = [user(), ...toldLaps(4, () => id), call(id)];
    const anew = [user(), ...toldLaps(4, () => id), call(id)];

    expect(observe(list).answers).toMatchObject([{ tool_call_id: id }]);
    expect(observe(anew).answers).toMatchObject([{ tool_call_id: id }]);
    expect(observe(anew)).toMatchObject({ calls: [], answers: [] });
    expect(anew).toHaveLength(11);
  });

  it.each(["call_0", ""])("removes its answer if the program ran the call anyway, with id %j", (id) => {
    const list = [user(), ...toldLaps(4, () => id), call(id)];
    const observe = guard(list, QUICK);
    expect(observe().answers).toHaveLength(1);
    list.push(result(id));
    observe();

    expect(list).toHaveLength(11);
    expect(JSON.stringify(list)).not.toContain(BLOCKED);
  });

  it("returns all calls of an answer that share an id, and gives each its own result", () => {
    const { events, own } = recording();
    const list = [user(), call("", "", "a", "a")];
    const observe = guard(list, { guard: own });

    expect(observe().calls).toHaveLength(4);
    list.push(result(""), result("a"));
    expect(observe().calls).toHaveLength(2);
    list.push(result(""), result("a"));
    expect(observe()).toMatchObject({ calls: [], isOver: false });
    expect(events.filter((event) => event.startsWith("call"))).toHaveLength(4);
    expect(new Set(events.filter((event) => event.startsWith("result"))).size).toBe(4);
  });

  it("sees the next call of a list that was compacted", () => {
    const { events, own } = recording();
    const observe = guard<object>([], { guard: own });
    observe([user(), ...again("call_0", 4)]);
    events.length = 0;
    observe([user("Summary: three calls were made."), ...again("call_0", 1), call("call_0")]);

    expect(events).toEqual(["compaction", "round", "call call_0"]);
  });

  it("does not count a list twice that was away for a while", () => {
    const { events, own } = recording();
    const observe = guard<object>([], { guard: own });
    observe([user(), ...laps(3)]);
    observe([user("Sum this up.")]);
    events.length = 0;
    observe([user(), ...laps(3), call("c4")]);

    expect(events).toEqual(["round", "call c4"]);
  });
});

describe("guard, on items of Responses", () => {
  const item = (type: string, more: object) => ({ type, id: `item-${JSON.stringify(more).length}`, ...more });

  it("answers a custom tool with its own type", () => {
    const list = [1, 2, 3, 4].flatMap((at) => [
      { type: "custom_tool_call", call_id: `c${at}`, name: "read_file", input: "a.ts" },
      { type: "custom_tool_call_output", call_id: `c${at}`, output: at < 3 ? SAME : `${SAME}\n\n${TOLD}` },
    ]) as object[];
    list.push({ type: "custom_tool_call", call_id: "c5", name: "read_file", input: "a.ts" });

    expect(guard(list, QUICK)().answers).toMatchObject([{ type: "custom_tool_call_output", call_id: "c5" }]);
  });

  it("observes shell calls with their output, and is not over before the program ran them", () => {
    const list: object[] = [user()];
    const observe = guard(list, QUICK);
    const seen = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => {
      list.push({
        type: "shell_call",
        id: `sh${at}`,
        call_id: `c${at}`,
        action: { commands: ["ls"] },
        status: "completed",
      });
      const { calls, answers, isOver } = observe();
      expect([...calls, ...answers]).toEqual([]);
      if (isOver) return "over";
      list.push({ type: "shell_call_output", call_id: `c${at}`, output: [{ stdout: SAME, stderr: "" }] });
      observe();
      return JSON.stringify(list.at(-1)).includes(WORDS) ? "words" : "";
    });

    expect(seen.slice(0, 3)).toEqual(["", "", "words"]);
    expect(seen).toContain("over");
  });

  it.each([
    {
      type: "shell_call",
      made: (at: number, command: string) => ({ call_id: `c${at}`, action: { commands: [command] } }),
      answered: (at: number, stdout: string) => ({ call_id: `c${at}`, output: [{ stdout, stderr: "" }] }),
    },
    {
      type: "local_shell_call",
      made: (at: number, command: string) => ({
        call_id: `c${at}`,
        action: { type: "exec", command: ["bash", "-lc", command], env: {} },
      }),
      // This type names the call in another field.
      answered: (at: number, stdout: string) => ({ id: `c${at}`, output: stdout }),
    },
  ])("knows that looking at one thing after the other with a $type changes nothing", ({ type, made, answered }) => {
    const list: object[] = [user()];
    const observe = guard(list);
    for (let at = 1; at <= 10; at++) {
      const [command, output] = at % 2 === 0 ? [`ls empty${at}`, ""] : ["cat notes.txt", SAME];
      list.push({ type, id: `sh${at}`, ...made(at, command), status: "completed" });
      list.push({ type: `${type}_output`, ...answered(at, output) });
      observe();
    }

    expect(JSON.stringify(list)).toContain(WORDS);
  });

  it("observes what the provider ran once, including a failure", () => {
    const { events, own } = recording();
    const observe = guard<object>([], { guard: own });
    const list = [
      user(),
      item("reasoning", { summary: [] }),
      { type: "mcp_call", id: "m1", name: "search", arguments: "{}", output: null, error: "it broke" },
      { type: "code_interpreter_call", id: "k1", code: "1 + 1", outputs: [{ type: "logs", logs: "2" }] },
      { type: "web_search_call", id: "w1", action: { type: "search", query: "x" } },
      { type: "message", id: "t1", role: "assistant", content: [{ type: "output_text", text: "Done." }] },
    ];
    observe(list);
    const { isOver } = observe(structuredClone(list));

    expect(events).toEqual(["user", "round", "call m1", "result m1", "call k1", "result k1", "text"]);
    expect(isOver).toBe(true);
  });

  it("observes a compaction by the provider", () => {
    const { events, own } = recording();
    guard([user(), { type: "compaction", id: "z1", encrypted_content: "" }], { guard: own })();

    expect(events).toEqual(["user", "round", "compaction"]);
  });

  it("is not over if hosted MCP asks a human, and adds nothing to the question", () => {
    const list = [user(), { type: "mcp_approval_request", id: "q1", name: "delete", arguments: "{}" }];

    expect(guard(list)()).toMatchObject({ isOver: false, calls: [], answers: [] });
    expect(list).toHaveLength(2);
  });

  it("observes the user in a list of new items, after an unanswered call", () => {
    const { events, own } = recording();
    const observe = guard<object>([], { guard: own });
    observe([{ type: "function_call", call_id: "a", name: "look_up", arguments: "{}" }]);
    observe([user("Stop that.")]);

    expect(events).toEqual(["round", "call a", "user"]);
  });
});

/** A conversation: what the user says, what the model says, and how many calls it makes in one answer. */
type Script = ("user" | "text" | number)[];
type NameCalls = (at: number, twin: number) => string;

const unique: NameCalls = (at, twin) => `${at}-${twin}`;
const anew: NameCalls = (_at, twin) => `call_${twin}`;
const empty: NameCalls = () => "";

function script(): fc.Arbitrary<Script> {
  const counts = fc.integer({ min: 1, max: 3 });
  return fc.array(fc.oneof(fc.constant("user" as const), fc.constant("text" as const), counts), { maxLength: 12 });
}

function style(): fc.Arbitrary<NameCalls> {
  return fc.constantFrom(unique, anew, empty);
}

function listOf(answers: Script, idOf: NameCalls): object[] {
  return answers.flatMap((entry, at): object[] => {
    if (entry === "user") return [user(`${at}`)];
    if (entry === "text") return [text(`${at}`)];
    const ids = Array.from({ length: entry }, (_, twin) => idOf(at, twin));
    const { tool_calls, ...rest } = call(...ids);
    const calls = tool_calls.map((made, twin) => ({
      ...made,
      function: { name: "read_page", arguments: JSON.stringify({ page: `${at}-${twin}` }) },
    }));
    return [{ ...rest, tool_calls: calls }, ...ids.map((id, twin) => result(id, `page ${at}-${twin} is new`))];
  });
}

/** What each request and each answer contains if the server keeps the rest. */
function piecesOf(list: readonly object[]): object[][] {
  const pieces: object[][] = [];
  list.forEach((item, at) => {
    const [before, role] = [list[at - 1], item].map((each) => (each as { role?: string } | undefined)?.role);
    if (before === undefined || role === "assistant" || before === "assistant") pieces.push([item]);
    else pieces.at(-1)?.push(item);
  });
  return pieces;
}

/** Sorted events, because an answered call may be reported later than an open one. Ids that are not unique are left out. */
function told(events: readonly string[], idOf: NameCalls): string[] {
  const kinds = idOf === unique ? events : events.map((event) => event.split(" ")[0]!);
  return kinds.filter((event) => event !== "round").sort();
}

const callsIn = (events: readonly string[]): string[] => events.filter((event) => /^(call|result)/.test(event));

describe("guard, on what is said", () => {
  /** The words and the reasoning that a guard observes. */
  function recordingWords() {
    const observed: AgentEvent[] = [];
    const own = createGuard();
    const observe = (event: AgentEvent) => {
      if (event.type === "text" || event.type === "reasoning") observed.push({ ...event, untold: undefined });
      return own.observe(event);
    };
    return { observed, observe: guard<object>([], { guard: { ...own, observe } }) };
  }

  it("observes words beside a call as part of an answer, and an answer without a call as a whole", () => {
    const { observed, observe } = recordingWords();
    observe([user(), { ...call("a"), content: "I look." }, result("a"), text("Done.")]);

    expect(observed).toEqual([
      { type: "text", text: "I look.", partial: true },
      { type: "text", text: "Done.", partial: false },
    ]);
  });

  it.each([
    { role: "assistant", content: null, reasoning_content: "Hm." },
    { role: "assistant", content: "", reasoning: "Hm." },
    { role: "assistant", content: null, reasoning_content: "", reasoning: "Hm." },
    { type: "reasoning", id: "r1", summary: [{ type: "summary_text", text: "Hm." }] },
    { type: "reasoning", id: "r1", summary: [], content: [{ type: "reasoning_text", text: "Hm." }] },
  ])("observes reasoning: %j", (item) => {
    const { observed, observe } = recordingWords();
    observe([user(), item]);

    expect(observed).toEqual([{ type: "reasoning", text: "Hm." }]);
  });

  it.each([
    { type: "reasoning", id: "r1", summary: [], encrypted_content: "gAAAA" },
    { role: "assistant", content: null, reasoning_content: null, reasoning: { effort: "high" } },
    { type: "reasoning", summary: [null, 1, {}] },
  ])("observes nothing if there is no text: %j", (item) => {
    const { observed, observe } = recordingWords();
    observe([user(), item]);

    expect(observed).toEqual([]);
  });

  it("observes an answer once, even if its reasoning is not sent back", () => {
    const { observed, observe } = recordingWords();
    observe([user(), { ...text("Done."), reasoning_content: "Hm." }]);
    observe([user(), text("Done."), user("more")]);

    expect(observed.map(({ type }) => type)).toEqual(["reasoning", "text"]);
  });
});
