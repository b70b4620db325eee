import {
  type AgentEvent,
  createGuard,
  type Decision,
  type GuardOptions,
  SYSTEM_PROMPT_PARAGRAPH,
  TOOL_DESCRIPTION_PARAGRAPH,
} from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, round, step, times } from "../../../../../test/builders.ts";
import { readingGrade, wordsIn } from "../../../../../test/messages/reading-grade.ts";
import { answer, FOUND, messagesAbout, outlook, SITUATIONS } from "../../../../../test/messages/situations.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import type { Rung } from "../answer.ts";
import type { Finding } from "../finding.ts";
import { MESSAGE_PREFIX } from "../reading/result.ts";
import type { MessageFacts } from "./wording.ts";
import { explanationFor, messageFor } from "./wording.ts";

const ALL: readonly Finding[] = FOUND.map(([, finding]) => finding);
const notice = (finding: Finding) => messageFor(finding, answer("nudge", "notice", "nudge"), outlook("nudge"));
const insisting = (finding: Finding) => messageFor(finding, answer("nudge", "warning", "nudge"), outlook("nudge"));
const repeats = SITUATIONS["repeated-call"];
const repeated = repeats["the same call, the same result"];
const cycle = SITUATIONS["call-cycle"]["the same few calls in turn"];
const MAX_WORDS = 35;
const refused = (finding: Finding, next?: Rung, isAttended = false) =>
  messageFor(finding, answer("block", "last", next), outlook(next, { isRefused: true, isAttended }));
const last = (finding: Finding, next: Rung, isAttended = false) =>
  messageFor(finding, answer("nudge", "last", next), outlook(next, { isAttended }));
const isTalk = ({ kind }: Finding) => kind === "text-only" || kind === "repeated-text";
const WAITING: readonly Finding[] = [
  repeats["checking again, and nothing has changed"],
  repeats["the same failure, because the service is busy"],
  SITUATIONS["call-cycle"]["the same few checks in turn"],
];
const SAID = FOUND.flatMap(([situation, finding]) =>
  messagesAbout(finding).map(([level, message]) => [`${situation}: ${level}`, message] as const),
);

describe("messageFor", () => {
  it.each(SAID)("is one short, plain paragraph: %s", (_situation, message) => {
    expect(message).toMatch(/^\[doomloop\] [^\n]+\.$/);
    expect(wordsIn(message).length, message).toBeLessThanOrEqual(MAX_WORDS);
    expect(readingGrade(message), message).toBeLessThanOrEqual(7);
    expect(message).not.toMatch(/CRITICAL|WARNING|BLOCKED|ERROR|[A-Z]{6}|!/);
  });

  it("has at most 30 words in most situations", () => {
    const short = SAID.filter(([, message]) => wordsIn(message).length <= 30);

    expect(short.length / SAID.length).toBeGreaterThan(2 / 3);
  });

  it.each(FOUND)("stays short where another level comes next, and for big numbers: %s", (_situation, finding) => {
    const many = { ...finding, count: 1234 };
    if (messagesAbout(finding).length < 3) return;
    for (const isAttended of [false, true]) {
      for (const next of [undefined, "block", "restart", "stop"] as const) {
        if (!isTalk(finding)) expect(wordsIn(refused(many, next, isAttended)).length).toBeLessThanOrEqual(MAX_WORDS);
        if (next) expect(wordsIn(last(many, next, isAttended)).length).toBeLessThanOrEqual(MAX_WORDS);
      }
    }
  });

  it.each(FOUND)("states the fact with its number before anything else: %s", (_situation, finding) => {
    const [fact] = notice(finding).split(/(?<=[.:?]) /);

    expect(fact).toMatch(/^\[doomloop\] .*\d/);
    expect(notice(finding).length).toBeGreaterThan(fact!.length + 20);
  });

  it.each(FOUND)("neither forbids nor invites to quit in the first words: %s", (_situation, finding) => {
    const [, step = ""] = notice(finding).split(/(?<=\d[^.]*\.) /);

    if (isTalk(finding)) return;
    expect(step).not.toMatch(/^(?:Don't|Do not|Stop|End|Finish|Report|Tell|Say|Explain)\b/);
    expect(step).not.toMatch(/^If (?:the task is|you are|all is) (?:complete|done|blocked)/);
    expect(step).not.toMatch(/refused|ends the run|warning/);
  });

  it("says nothing twice: no two situations share their first words, and no two levels share theirs", () => {
    const first = FOUND.map(([, finding]) => notice(finding));

    expect(new Set(first).size).toBe(first.length);
    for (const [, finding] of FOUND) {
      const messages = messagesAbout(finding).map(([, message]) => message);
      expect(new Set(messages).size).toBe(messages.length);
    }
  });

  it("becomes graver from notice to warning to last, and stays calm", () => {
    expect(notice(repeated)).not.toMatch(/loop:|warning/i);
    expect(insisting(repeated)).toMatch(/^\[doomloop\] Loop: /);
    expect(last(repeated, "block")).toMatch(/^\[doomloop\] Last warning: /);
    expect(insisting(repeated)).toContain("report what blocks you");
  });

  it.each(FOUND)("says something else to an agent that the first words did not help: %s", (_situation, finding) => {
    const advice = (message: string) => message.split(/(?<=[.?]) /).slice(1);

    expect(insisting(finding)).toMatch(/^\[doomloop\] Loop: .*\d/);
    for (const sentence of advice(insisting(finding))) expect(advice(notice(finding))).not.toContain(sentence);
  });

  it.each<[string, Finding]>([
    ["sent again", repeats["the same thing sent or written again"]],
    ["clicked again", repeats["the same act, such as a click"]],
  ])("says nothing of using a result where something was %s", (_what, finding) => {
    for (const [, message] of messagesAbout(finding)) expect(message).not.toMatch(/Use that|Use what/);
    expect(notice(finding)).toContain("If you repeat it on purpose, go on.");
  });

  it.each(["notice", "warning", "last"] as const)("never asks for another way to do what is done: %s", (tone) => {
    const done = repeats["the same thing sent or written again"];

    for (const rung of ["nudge", "restart"] as const) {
      const message = messageFor(done, answer(rung, tone, "block"), outlook("block"));
      expect(message).not.toMatch(/another (?:tool|way|approach)|different|not tried/);
    }
  });

  it.each<[Rung, RegExp]>([
    ["block", /will be refused\.$/],
    ["restart", /restarts the run\.$/],
    ["stop", /ends the run\.$/],
  ])("says with the last warning that %s comes next", (next, words) => {
    for (const finding of ALL) if (!isTalk(finding)) expect(last(finding, next)).toMatch(words);
  });

  it("announces no refusal of words, which cannot be refused", () => {
    for (const finding of ALL.filter(isTalk)) {
      expect(last(finding, "block")).not.toContain("refused");
      expect(last(finding, "stop")).toMatch(/ends the run\.$/);
    }
  });

  it("says that the user will be asked where somebody watches", () => {
    expect(last(repeated, "block", true)).toMatch(/the user decides\.$/);
  });

  it.each(FOUND)(
    "says of a refused call that it did not run, what still works, and what comes next: %s",
    (_, finding) => {
      if (isTalk(finding)) return;
      for (const [next, words] of [
        ["stop", /ends the run\.$/],
        ["restart", /restarts the run\.$/],
        [undefined, /will be refused\.$/],
      ] as const) {
        expect(refused(finding, next)).toMatch(/^\[doomloop\] Not run: .*\d.* Other calls still work\. /);
        expect(refused(finding, next)).toMatch(words);
      }
    },
  );

  it("never threatens a whole tool: what will be refused is the call, or more of the same", () => {
    for (const finding of ALL) {
      const threat = last(finding, "block").split(". ").at(-1);
      if (!isTalk(finding))
        expect(threat).toMatch(/\b(?:it|they|the same|failing calls|Trying sooner) will be refused/);
      expect(threat).not.toMatch(/`/);
    }
  });

  it("says of a refused call in an attended run that the user will decide", () => {
    expect(refused(repeated, undefined, true)).toMatch(/The user will decide\.$/);
  });

  it.each(FOUND)("speaks of waiting only where the call may be waiting: %s", (_situation, finding) => {
    for (const [level, message] of messagesAbout(finding)) {
      if (level === "a run that starts over" || level === "a run that is stopped") continue;
      expect(/\bwait|\bpause/i.test(message), message).toBe(WAITING.includes(finding));
      if (WAITING.includes(finding)) expect(message).not.toMatch(/\bvary\b|different|another|other words/i);
    }
  });

  it("lets a refused check come again after a pause", () => {
    for (const finding of WAITING) expect(refused(finding, "stop")).toMatch(/Pause a minute, then try once/);
  });

  it.each(FOUND)("says that the run is stopped, and asks for nothing more: %s", (_situation, finding) => {
    const message = messageFor(finding, answer("stop", "last"), outlook());

    expect(message).toMatch(/^\[doomloop\] This run is stopped: [^.]*\d[^.]*\.$/);
    expect(message).not.toMatch(/report|try|use/i);
  });

  it.each<[number | undefined, RegExp]>([
    [undefined, /9 times[^.]*\.$/],
    [1, /9 times.* 1 more such call was refused\.$/],
    [11, /9 times.* 11 more such calls were refused\.$/],
  ])("counts at a stop all that the agent did, with %s refused calls", (refused, words) => {
    const stop = { ...answer("stop", "last"), ...(refused && { refused }) };

    for (const say of [messageFor, explanationFor])
      expect(say({ ...repeated, count: 9 }, stop, outlook())).toMatch(words);
  });

  it("counts no refused calls at the end of talk, whatever was refused before", () => {
    const stop = { ...answer("stop", "last"), refused: 2 };

    for (const finding of ALL.filter(isTalk)) expect(messageFor(finding, stop, outlook())).not.toContain("refused");
  });

  it("adds up at a stop to the calls that were made", () => {
    const guard = createGuard();
    const made: AgentEvent[] = [];
    for (let stop: Decision | undefined; stop === undefined; ) {
      for (const event of look) {
        const decision = guard.observe(event);
        if (event.type === "call") made.push(event);
        if (decision.action === "stop") stop = decision;
        if (decision.action === "block" || decision.action === "stop") break;
      }
      const [, seen, turned] = /result (\d+) times\. (\d+) more/.exec(stop?.message ?? "") ?? [];
      if (stop) expect(Number(seen) + Number(turned)).toBe(made.length);
    }
  });

  it("counts no call as refused that ran all the same, because the host cannot refuse it", () => {
    const guard = createGuard();
    const stop = times(25, look)
      .map((event) => guard.observe(event))
      .find(({ action }) => action === "stop");

    expect(stop?.message).toMatch(/result 19 times\.$/);
  });

  it("says how to start again when the run starts over", () => {
    const message = messageFor(repeated, answer("restart", "last", "stop"), outlook("stop"));

    expect(message).toMatch(/^\[doomloop\] This run starts over: /);
    expect(message).toMatch(/fresh look.* completely different, or report .*\. Don't repeat/);
  });

  it("takes no tool's name for words of its own", () => {
    const tool = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("`a`", "a\n1. b"),
    );
    const property = fc.property(fc.nat(ALL.length - 1), tool, (at, name) => {
      const isIdentifier = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(name);
      const plain = (tools: string[]) => {
        const given = { ...ALL[at]!, tools };
        const told: Finding =
          given.kind === "call-cycle" ? { ...given, evidence: { ...given.evidence, sequence: tools } } : given;
        return `${notice(told)}\n${insisting(told)}`;
      };

      if (isIdentifier) expect(plain([name]).replaceAll(`\`${name}\``, "`x`")).toBe(plain(["x"]));
      else expect(plain([name])).toBe(plain(["?"]));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it.each(["rm -rf /", "a`b", "a\nb", "", "ä", "x".repeat(65), "_private", "<b>", "read_file\n", "a b"])(
    "shows no tool of the name %j",
    (name) => {
      expect(notice({ ...repeated, tools: [name] })).toMatch(/This exact call gave/);
      expect(explanationFor({ ...repeated, tools: [name] }, answer("nudge", "notice"), outlook())).toContain(
        "one tool",
      );
    },
  );

  it("names the tool of a cycle once if it is always the same", () => {
    const evidence = { ...cycle.evidence, sequence: ["Bash", "Bash", "Bash"] };

    expect(notice({ ...cycle, period: 3, evidence })).toContain("`Bash` with 3 different inputs in turn");
  });

  it.each([
    [["a", "b"], "`a` and `b` in turn"],
    [["a", "b", "a", "c"], "`a`, `b` and `c` in turn"],
    [["a", "b", "c", "a", "b", "d", "g"], "`a`, `b` and 3 more tools in turn"],
  ])("names each tool of the cycle %j once, and few of them", (sequence, words) => {
    const finding: Finding = { ...cycle, period: sequence.length, evidence: { ...cycle.evidence, sequence } };

    expect(notice(finding)).toContain(words);
    for (const [, message] of messagesAbout(finding)) expect(wordsIn(message).length).toBeLessThanOrEqual(MAX_WORDS);
  });

  it.each([
    [400, "1 second"],
    [600_000, "10 minutes"],
  ])("says how long the fleet has been at it: %d ms", (windowMs, span) => {
    expect(
      notice({ ...SITUATIONS.fleet["a dead end of other workers"], evidence: { workers: 4, windowMs } }),
    ).toContain(`In the last ${span}, 4 workers made 12 such `);
  });

  it("says that processes were counted, if workers could not be", () => {
    expect(notice(SITUATIONS.fleet["the same, over a store"])).toContain("4 processes made 12 such ");
  });

  it("says 1 time and 2 times", () => {
    expect(notice({ ...repeated, count: 1 })).toContain("1 time.");
    expect(notice({ ...repeated, count: 2 })).toContain("2 times.");
  });
});

describe("the sentence of each kind", () => {
  it("does not claim results where none were looked at", () => {
    const blind: Finding[] = [
      { ...cycle, evidence: { ...cycle.evidence, outcome: "blind" } },
      repeats["the same call, in a run that shows no results"],
      SITUATIONS["similar-call"]["nearly the same call, in a run that shows no results"],
    ];
    for (const finding of blind) {
      for (const [, message] of messagesAbout(finding))
        expect(message).not.toMatch(/(?<!Use the )result|returned|failed|worked/);
    }
  });

  it("claims the same result only where it is exactly the same", () => {
    const near = repeats["the same call, nearly the same result"];
    expect(notice(near)).toContain("gave nearly the same result 3 times");
    expect(insisting(near)).toContain("gave nearly the same result 3 times");
    expect(notice(repeated)).toContain("gave the same result 3 times");
  });

  it.each([
    [undefined, /in a row, and/],
    [1, /\(1 failure\)/],
    [4, /\(4 failures\)/],
  ])("tells people how many failed, if it is known: %s", (failing, words) => {
    const check = SITUATIONS["test-fix"]["a check that keeps failing between changes"];
    const finding: Finding = { ...check, evidence: { failing } };

    expect(explanationFor(finding, answer("nudge", "notice"), outlook())).toMatch(words);
  });
});

describe("explanationFor", () => {
  it.each(FOUND)("is about the agent, to somebody else: %s", (_situation, finding) => {
    const explanation = explanationFor(finding, answer("nudge", "notice", "nudge"), outlook("nudge"));

    expect(explanation).not.toMatch(/\byou(?:rs?)?\b|\[doomloop\]/i);
    expect(explanation).toMatch(/doomloop told it so\.$/);
  });

  it("names the agent where the message says you", () => {
    expect(explanationFor(repeated, answer("nudge", "notice"), outlook())).toMatch(
      /^The agent called `read_file` 3 times/,
    );
    expect(
      explanationFor(
        SITUATIONS["repeated-text"]["an answer that repeats itself"],
        answer("nudge", "notice"),
        outlook(),
      ),
    ).toMatch(/^The agent's answer /);
  });

  it.each<[Rung, string]>([
    ["nudge", "doomloop told it so."],
    ["block", "doomloop refused the call."],
    ["restart", "The run starts over."],
  ])("says what was done: %s", (rung, words) => {
    expect(explanationFor(repeated, answer(rung, "last", "stop"), outlook("stop")).endsWith(words)).toBe(true);
  });

  it("tells people of a stop in a sentence that can stand by itself", () => {
    expect(explanationFor(repeated, answer("stop", "last"), outlook())).toBe(
      "Stopped: the agent called `read_file` 3 times with the same arguments and got the same result each time.",
    );
  });

  it.each<Rung>(["nudge", "block", "restart", "stop"])("claims nothing where nothing is done: %s", (rung) => {
    const explanation = explanationFor(
      repeated,
      answer(rung, "last"),
      outlook(undefined, { isShadow: true, isAttended: true }),
    );

    expect(explanation).toMatch(/Outside shadow mode, .* would /);
    expect(explanation).not.toMatch(/told it|refused the|was stopped|starts over|\?/);
  });

  it("asks the human who watches at the top of the ladder, and nobody else", () => {
    const asked = (isAttended: boolean, next?: Rung) =>
      explanationFor(repeated, answer("block", "last", next), outlook(next, { isAttended, isRefused: true }));

    expect(asked(true)).toMatch(/Should it go on, try another way, or stop\?$/);
    expect(asked(true, "block")).not.toContain("?");
    expect(asked(false)).not.toContain("?");
  });

  it("takes no tool's name for words of its own", () => {
    expect(explanationFor({ ...repeated, tools: ["\u001b[31mx"] }, answer("nudge", "notice"), outlook())).toContain(
      "one tool",
    );
  });
});

describe("the paragraphs of awareness", () => {
  it("tell an agent how to know the guard's messages", () => {
    expect(SYSTEM_PROMPT_PARAGRAPH).toContain(`"${MESSAGE_PREFIX}"`);
  });

  it("tell what does not count, so that nobody stops testing, paging or waiting", () => {
    expect(SYSTEM_PROMPT_PARAGRAPH).toMatch(
      /tests again after an edit that helps, .*next page.* waiting .* do not count/,
    );
  });

  it.each([SYSTEM_PROMPT_PARAGRAPH, TOOL_DESCRIPTION_PARAGRAPH])("are one paragraph of plain text", (paragraph) => {
    expect(paragraph).toMatch(/^[A-Z][^\n]{100,}\.$/);
  });
});

const look = [round, ...step("read_file", { path: "a.ts" }, "x".repeat(300))];
const stuck: readonly AgentEvent[] = times(9, look);

/** What a guard says, where it says something. */
function saidBy(options: GuardOptions): Decision[] {
  const guard = createGuard({ levels: { refused: 5, ended: 6 }, ...options });
  return stuck.map((event) => guard.observe(event)).filter(({ action }) => action !== "continue");
}

describe("messages", () => {
  it("take the place of ours, by what is done, and the others stay ours", () => {
    const [first, second, blocked] = saidBy({
      messages: { nudge: ({ finding }) => `Das war ${finding.count}-mal gleich。` },
    });
    const [ours] = saidBy({}).slice(2);

    expect(first?.message).toBe("[doomloop] Das war 3-mal gleich。");
    expect(second?.message).toMatch(/^\[doomloop\] Das war/);
    expect(blocked).toEqual(ours);
  });

  it("are given all that there is to say, and our own words", () => {
    const given: MessageFacts[] = [];
    saidBy({
      messages: {
        nudge: (facts) => {
          given.push(facts);
          return facts.ours;
        },
      },
    });

    expect(given[0]).toMatchObject({ action: "nudge", tone: "notice", next: "nudge", ignored: 0 });
    expect(given[1]).toMatchObject({ action: "nudge", tone: "last", next: "block", ignored: 1 });
    expect(given[0]!.ours).toMatch(/^\[doomloop\] This exact `read_file` call .* 3 times/);
    expect(given[0]!.finding.kind).toBe("repeated-call");
  });

  it("say to people what is said, too", () => {
    expect(saidBy({ messages: { explanation: () => "Der Agent dreht sich im Kreis." } })[0]).toMatchObject({
      explanation: "Der Agent dreht sich im Kreis.",
      message: expect.stringContaining("`read_file`"),
    });
  });

  it.each<[string, () => unknown]>([
    [
      "throw",
      () => {
        throw new Error("mine");
      },
    ],
    ["are no text", () => 5],
    ["are empty", () => " "],
    ["come later", async () => "x"],
  ])("that %s are reported once, and ours are said", (_, nudge) => {
    const faults: unknown[] = [];
    const messages = { nudge: nudge as () => string };
    const said = saidBy({ messages, onFault: (fault) => faults.push(fault) });

    expect(said[0]).toEqual(saidBy({})[0]);
    expect(faults).toHaveLength(1);
  });

  it("are cut at 2,000 characters", () => {
    expect(saidBy({ messages: { nudge: () => "x".repeat(9999) } })[0]?.message).toHaveLength(
      2000 + "[doomloop] ".length,
    );
  });

  it("are known again at the end of a result, in whatever language", () => {
    const guard = createGuard({ messages: { nudge: () => "同じ呼び出しです。" } });
    const observed = times(4, look).map((event) => guard.observe(event));
    const words = observed.find(({ action }) => action === "nudge")!.message!;
    const told = createGuard();
    const actions = times(3, look).map((event) =>
      told.observe(event.type === "result" ? { ...event, output: `${"x".repeat(300)}\n\n${words}` } : event),
    );

    expect(actions.at(-1)?.finding?.count).toBe(3);
    expect(words).toBe("[doomloop] 同じ呼び出しです。");
  });

  it("are true where a host does something milder than was decided", () => {
    const said: string[] = [];
    const abilities = { nudge: "result", block: false, stop: "none" } as const;
    const messages = { nudge: ({ action, next }: MessageFacts) => `${action}, then ${next ?? "nothing"}.` };
    const run = createHostRuns({ levels: { refused: 5, ended: 6 }, messages }, abilities).start();
    for (let at = 0; at < 6; at++) {
      run.round();
      const { id } = run.call({ tool: "read_file", args: { path: "a.ts" } });
      said.push(run.result({ id, output: "x".repeat(300) }) ?? "");
    }

    expect(said).toContain("[doomloop] nudge, then nudge.");
    expect(said.join()).not.toContain("block");
  });

  it("are refused where they are no functions, or for what is never done", () => {
    expect(() => createGuard({ messages: { nudge: "hello" } as never })).toThrow(
      "messages.nudge: a function is required",
    );
    expect(() => createGuard({ messages: { nugde: () => "" } as never })).toThrow("did you mean nudge?");
  });

  it("do not change what is decided", () => {
    const guard = createGuard({ messages: { block: () => "No." }, levels: { refused: 5, ended: 6 } });
    for (const event of [...times(4, look), round]) guard.observe(event);

    expect(guard.observe(call("read_file", { path: "a.ts" }))).toMatchObject({
      action: "block",
      message: "[doomloop] No.",
    });
  });
});
