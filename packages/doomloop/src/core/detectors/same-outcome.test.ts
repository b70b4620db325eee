import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, findingsOf, result, round, step, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import { type SameOutcomeOptions, sameOutcome } from "./same-outcome.ts";

const COMMANDS = ["make all", "cmake .", "ninja -C out", "bazel build", "gcc main.c", "scons", "meson out", "tup"];
const PAGE = `You must sign in to see this page. ${"Sign in with your work account to go on. ".repeat(5)}`;

const denied = (at: number) => [call("bash", { command: COMMANDS[at] }), failure("sh: permission denied")];
const failures = (count: number) => Array.from({ length: count }, (_, at) => denied(at)).flat();
const visit = (at: number, says = PAGE) => step("fetch_page", { url: `https://example.org/${COMMANDS[at]}` }, says);
const visits = (count: number, says?: string) => Array.from({ length: count }, (_, at) => visit(at, says)).flat();

const countsOf = (options: SameOutcomeOptions, events: readonly AgentEvent[]) =>
  findingsOf(sameOutcome(options), events).map(({ count }) => count);

describe("sameOutcome", () => {
  detectorContract(
    sameOutcome,
    failures(6),
    ["no such file", "type mismatch", "disk is full", "connection refused", "invalid option", "out of memory"].flatMap(
      (words, at) => [call("bash", { command: COMMANDS[at] }), failure(`Error: ${words}`)],
    ),
  );

  it("fires at the threshold of failures and not before", () => {
    expect(countsOf({ threshold: 4 }, failures(3))).toEqual([]);
    expect(countsOf({ threshold: 4 }, failures(6))).toEqual([4, 5, 6]);
    expect(findingsOf(sameOutcome({ threshold: 4 }), failures(4))).toMatchObject([
      { steps: [0, 1, 2, 3], tools: ["bash"], evidence: { isFailing: true } },
    ]);
  });

  it("counts one class of failure whatever paths, numbers and names it mentions", () => {
    const events = [1, 2, 3, 4].flatMap((at) => [
      call("bash", { command: COMMANDS[at] }),
      failure(`Error: cannot open '/srv/data-${at}/x.db' (attempt ${at})`),
    ]);

    expect(countsOf({ threshold: 4 }, events)).toEqual([4]);
  });

  it("does not count failures that say nothing, such as a search that finds nothing", () => {
    const events = COMMANDS.flatMap((name) => [call("bash", { command: `grep -rn ${name} src` }), failure("")]);

    expect(countsOf({ threshold: 2 }, events)).toEqual([]);
  });

  it("does not count files that each have a name of their own, though they hold the same", () => {
    const events = COMMANDS.flatMap((name) => step("read_file", { path: `${name}/LICENSE` }, PAGE));

    expect(countsOf({ answerThreshold: 2 }, events)).toEqual([]);
  });

  it("counts failures across tools", () => {
    const events = ["curl", "fetch_page", "browser_goto", "search"].flatMap((tool) => [
      call(tool, { url: "https://example.org" }),
      failure("connection refused"),
    ]);

    expect(countsOf({ threshold: 4 }, events)).toEqual([4]);
  });

  it("needs one more where only words tell of failure", () => {
    const events = COMMANDS.flatMap((command) => [call("bash", { command }), result("sh: permission denied")]);

    expect(countsOf({ threshold: 4 }, events.slice(0, 8))).toEqual([]);
    expect(countsOf({ threshold: 4 }, events.slice(0, 10))).toEqual([4]);
  });

  it("weighs further failures of one round a third each", () => {
    const batch = [0, 1, 2, 3].map((at) => call("bash", { command: COMMANDS[at] }, { id: `${at}` }));
    const answers = [0, 1, 2, 3].map((at) => ({ ...failure("sh: permission denied"), id: `${at}` }));

    expect(countsOf({ threshold: 3 }, [round, ...batch, ...answers])).toEqual([]);
    expect(countsOf({ threshold: 4 }, [round, ...batch, ...answers, round, ...batch, ...answers])).toEqual([4]);
  });

  it.each([
    ["a success of the tool", step("bash", { command: "pwd" }, "src", { error: false })],
    ["a word of the user", [user("go on")]],
    ["another failure", [call("bash", { command: "x" }), failure("Error: the disk is full")]],
  ])("starts again after %s", (_what, events) => {
    expect(countsOf({ threshold: 4 }, [...failures(3), ...events, ...failures(3)])).toEqual([]);
    expect(countsOf({ threshold: 4 }, [...failures(3), ...events, ...failures(4)])).toEqual([4]);
  });

  it("starts again after a new change of the world", () => {
    const denials = (from: number, to: number) =>
      COMMANDS.slice(from, to).flatMap((name) => [call("lookup", { name }), failure("quota is used up")]);
    const edit = step("edit", { path: "a.ts", content: "x" }, "edited");

    expect(countsOf({ threshold: 4 }, [...denials(0, 3), ...edit, ...denials(3, 6)])).toEqual([]);
    expect(countsOf({ threshold: 4 }, [...denials(0, 3), ...edit, ...denials(3, 7)])).toEqual([4]);
  });

  describe("of one error in ever new commands", () => {
    const TRIES = [
      "make all",
      "make -j1 main",
      "gcc main.c -o main",
      "cc -v main.c",
      "make clean main",
      "gcc -Wall main.c",
    ];
    const ERROR = "main.c:3: undefined reference to sum";
    const edit = (at: number) => step("edit", { path: "main.c", content: `attempt ${at}` }, "edited");
    const tried = (at: number, says = ERROR) => [call("bash", { command: TRIES[at] }), failure(says)];
    const after = (between: (at: number) => readonly AgentEvent[], count = 6, says?: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => [...between(at), ...tried(at, says?.(at))]).flat();

    it("fires where two commands take turns", () => {
      const turns = Array.from({ length: 6 }, (_, at) => [...edit(at), ...tried(at % 2)]).flat();

      expect(countsOf({ threshold: 4 }, turns)).toEqual([5, 6]);
    });

    it.each<[string, readonly AgentEvent[]]>([
      ["an answer that was there before", step("bash", { command: "cat main.c" }, PAGE)],
      ["silence", step("bash", { command: "true" }, "", { error: false })],
    ])("is not interrupted by %s", (_what, between) => {
      expect(countsOf({ threshold: 4 }, [...between, ...after((at) => [...edit(at), ...between])])).toContain(5);
    });

    it("fires one later than without a change, whatever was written in between", () => {
      expect(countsOf({ threshold: 4 }, after(edit, 4))).toEqual([]);
      expect(findingsOf(sameOutcome({ threshold: 4 }), after(edit))).toMatchObject([
        { count: 5, steps: [1, 3, 5, 7, 9], tools: ["bash"], isCertain: false, evidence: { isFailing: true } },
        { count: 6 },
      ]);
    });

    it("takes errors that differ in a duration only for one, and others not", () => {
      expect(
        countsOf(
          { threshold: 4 },
          after(edit, 5, (at) => `${ERROR} (after ${at + 3}ms)`),
        ),
      ).toEqual([5]);
      expect(
        countsOf(
          { threshold: 4 },
          after(edit, 6, (at) => `${ERROR}_${"abcdef"[at]}`),
        ),
      ).toEqual([]);
    });

    it.each<[string, AgentEvent[]]>([
      ["tells something at length that no call had told", step("read_file", { path: "b.c" }, PAGE)],
      ["succeeds with the tool", step("bash", { command: "grep -n sum main.c" }, "3: sum(1, 2)", { error: false })],
      ["fails in another way", [call("bash", { command: "make x" }), failure("make: no rule for x")]],
    ])("starts again after a call that %s", (_what, events) => {
      const anew = (at: number) => edit(at + 10);

      expect(countsOf({ threshold: 4 }, [...after(edit, 3), ...events, ...after(anew)])).toEqual([5, 6]);
      expect(countsOf({ threshold: 4 }, [...after(edit, 3), ...events, ...after(anew, 4)])).toEqual([]);
    });

    it("leaves one command that fails again to others, and a list of names", () => {
      const same = Array.from({ length: 8 }, (_, at) => [...edit(at), ...tried(0)]).flat();
      const names = ["anna", "bert", "carl", "dora", "emil", "fred"].flatMap((name, at) => [
        ...edit(at),
        call("bash", { command: `./grant.sh ${name}` }),
        failure("no such account"),
      ]);

      expect(countsOf({ threshold: 4 }, same)).toEqual([]);
      expect(countsOf({ threshold: 4 }, names)).toEqual([]);
    });

    it("leaves a service that is busy alone", () => {
      const ask = (at: number, says: string) => [
        ...edit(at),
        call("bash", { command: `curl -s https://api/${TRIES[at]!.split(" ").join("/")}` }),
        failure(says),
      ];

      expect(
        countsOf(
          { threshold: 4 },
          TRIES.flatMap((_, at) => ask(at, "503 service unavailable")),
        ),
      ).toEqual([]);
      expect(
        countsOf(
          { threshold: 4 },
          TRIES.flatMap((_, at) => ask(at, "404 no such route")),
        ),
      ).not.toEqual([]);
    });
  });

  describe("of one page after the other", () => {
    const SHORT_PAGE = "Orders 1 to 10 of 10 are shown, sorted by date";
    const page = (at: number, says = SHORT_PAGE) => step("list_orders", { page: at }, says);
    const pages = (count: number, says?: string) => Array.from({ length: count }, (_, at) => page(at + 1, says)).flat();

    it("fires where each is the same", () => {
      expect(countsOf({ threshold: 4 }, pages(3))).toEqual([]);
      expect(findingsOf(sameOutcome({ threshold: 4 }), pages(4))).toMatchObject([
        { count: 4, steps: [0, 1, 2, 3], tools: ["list_orders"], evidence: { isFailing: false } },
      ]);
    });

    it.each<[string, AgentEvent[]]>([
      ["pages that differ", [1, 2, 3, 4, 5, 6].flatMap((at) => page(at, `${SHORT_PAGE}, ${"abcdef"[at - 1]} first`))],
      ["pages that say next to nothing", pages(6, "no more orders")],
      ["other questions with one answer", COMMANDS.flatMap((name) => step("list_orders", { of: name }, SHORT_PAGE))],
    ])("leaves %s alone", (_what, events) => {
      expect(countsOf({ threshold: 4 }, events)).toEqual([]);
    });
  });

  it("fires at the threshold of answers and not before", () => {
    expect(countsOf({ answerThreshold: 5 }, visits(4))).toEqual([]);
    expect(findingsOf(sameOutcome({ answerThreshold: 5 }), visits(5))).toMatchObject([
      { count: 5, steps: [0, 1, 2, 3, 4], tools: ["fetch_page"], evidence: { isFailing: false } },
    ]);
  });

  it.each([
    ["another answer", visit(7, `${PAGE} Welcome.`)],
    ["another tool", step("list_files", { path: "." }, "a.ts b.ts")],
    ["a word of the user", [user("go on")]],
  ])("starts again with the answers after %s", (_what, events) => {
    expect(countsOf({ answerThreshold: 4 }, [...visits(3), ...events, ...visits(3)])).toEqual([]);
    expect(countsOf({ answerThreshold: 4 }, [...visits(3), ...events, ...visits(4)])).toEqual([4]);
  });

  it("does not count a short answer, which is the same because it is short", () => {
    expect(countsOf({ answerThreshold: 2 }, visits(8, "[]"))).toEqual([]);
    expect(countsOf({ answerThreshold: 2 }, visits(8, "True"))).toEqual([]);
  });

  it("counts different calls that all find nothing, if asked to", () => {
    expect(countsOf({ nothingThreshold: 3 }, visits(2, "[]"))).toEqual([]);
    expect(countsOf({ nothingThreshold: 3 }, visits(4, "[]"))).toEqual([3, 4]);
    expect(countsOf({ nothingThreshold: 3 }, visits(4, "True"))).toEqual([]);
  });

  it("spares a list whose items all fail, however long, unless told otherwise", () => {
    const item = (_: unknown, at: number) => [call("get_part", { number: `KX-${771 + at}` }), failure("no such part")];
    const items = (count: number) => Array.from({ length: count }, item).flat();

    expect(countsOf({ threshold: 4 }, items(20))).toEqual([]);
    expect(countsOf({ threshold: 4, sparesLists: false }, items(5))).toEqual([4, 5]);
  });

  it("spares a list whose items all get one answer, unless told otherwise", () => {
    const item = (_: unknown, at: number) => step("run_check", { host: `web-${at + 1}` }, `${PAGE} All is well.`);
    const items = (count: number) => Array.from({ length: count }, item).flat();

    expect(countsOf({ answerThreshold: 4 }, items(20))).toEqual([]);
    expect(countsOf({ answerThreshold: 4, sparesLists: false }, items(5))).toEqual([4, 5]);
  });

  it("spares no list that meets a closed door at every item", () => {
    const parts = ["KX-771", "QP-204", "ZZ-918", "LM-663"];

    expect(
      countsOf(
        { threshold: 4 },
        parts.flatMap((number) => [call("get_part", { number }), failure("403 Forbidden")]),
      ),
    ).toEqual([4]);
  });

  it("is never certain: another attempt may be the right one", () => {
    const findings = [...findingsOf(sameOutcome(), failures(8)), ...findingsOf(sameOutcome(), visits(8))];

    expect(findings.length).toBeGreaterThan(4);
    expect(findings.some(({ isCertain }) => isCertain)).toBe(false);
  });

  it("leaves one call that gets one answer to others", () => {
    const same = Array.from({ length: 8 }, () => visit(1)).flat();

    expect(countsOf({ answerThreshold: 2 }, same)).toEqual([]);
  });

  it("gives one class of failure one identity in every run and every tool, and another class another", () => {
    const loopOf = (tool: string, words: string) =>
      findingsOf(
        sameOutcome({ threshold: 2 }),
        [1, 2].flatMap((at) => [call(tool, { at }), failure(words)]),
      )[0]?.loop;

    expect(loopOf("bash", "permission denied")).toMatch(/./);
    expect(loopOf("python", "permission denied")).toBe(loopOf("bash", "permission denied"));
    expect(loopOf("bash", "no space left")).not.toBe(loopOf("bash", "permission denied"));
  });

  it("fires exactly if as many calls failed alike as the threshold says, whatever the calls", () => {
    const property = fc.property(
      fc.integer({ min: 2, max: 6 }),
      fc.array(fc.string({ maxLength: 12 }), { maxLength: 9 }),
      (threshold, values) => {
        const events = values.flatMap((value) => [call("lookup", { value }), failure("quota is used up")]);

        expect(countsOf({ threshold }, events)).toHaveLength(Math.max(0, values.length - threshold + 1));
      },
    );
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 4) });
  });

  it.each([
    [{ threshold: 1 }, "same-outcome: threshold: … is required, got 1"],
    [{ answerThreshold: 13 }, "same-outcome: answerThreshold: … is required, got 13"],
    [{ nothingThreshold: 1 }, "same-outcome: nothingThreshold: … is required, got 1"],
  ])("refuses %j", (options, message) => {
    expect(() => sameOutcome(options)).toThrow(refusal(message));
  });
});
