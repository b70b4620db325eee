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
import type { Rung, Tone } from "../answer.ts";
import type { Finding } from "../finding.ts";
import { MESSAGE_PREFIX } from "../outcome/read-outcome.ts";
import type { MessageFacts } from "./wording.ts";
import { explanationFor, messageFor } from "./wording.ts";

const ALL: readonly Finding[] = FOUND.map(([, finding]) => finding);
const notice = (finding: Finding) => messageFor(finding, answer("nudge", "notice", "nudge"), outlook("nudge"));
const insisting = (finding: Finding) => messageFor(finding, answer("nudge", "warning", "nudge"), outlook("nudge"));
const repeats = SITUATIONS["repeated-call"];
const repeated = repeats["the same call, the same result"];
const cycle = SITUATIONS["call-cycle"]["the same few calls in turn"];
const IF_INTENDED = "If you have a good reason, go on. If not:\n1. ";
const IF_WAITING = "If you are waiting for a change:\n1. ";
const refused = (next?: Rung, isAttended = false) =>
  messageFor(repeated, answer("block", "last", next), outlook(next, { isRefused: true, isAttended }));

describe("messageFor", () => {
  it.each(FOUND)("begins with the prefix, states the fact and advises in order: %s", (_situation, finding) => {
    const lines = notice(finding)
      .split("\n")
      .filter((line) => !line.startsWith("If not, do not call again."));

    expect(lines[0]).toMatch(/^\[doomloop\] .*\d.*[.:]$/);
    expect(lines.slice(-3).map((line) => line.slice(0, 3))).toEqual(["1. ", "2. ", "3. "]);
  });

  it.each(FOUND)("is short and plain at every level: %s", (_situation, finding) => {
    for (const [level, message] of messagesAbout(finding)) {
      expect(wordsIn(message).length, `${level}: ${message}`).toBeLessThanOrEqual(60);
      expect(readingGrade(message), `${level}: ${message}`).toBeLessThanOrEqual(7);
      expect(message).not.toMatch(/CRITICAL|WARNING|BLOCKED|ERROR|[A-Z]{6}|!/);
    }
  });

  it("says nothing twice: no two situations share their first words, and no two levels share theirs", () => {
    const first = FOUND.map(([, finding]) => notice(finding));

    expect(new Set(first).size).toBe(first.length);
    for (const [, finding] of FOUND) {
      const messages = messagesAbout(finding).map(([, message]) => message);
      expect(new Set(messages).size).toBe(messages.length);
    }
  });

  it.each(FOUND)("leaves the first time a way to go on that costs nothing: %s", (_situation, finding) => {
    const isWaiting = notice(finding).includes("before you call again");
    const unless = isWaiting ? IF_WAITING : IF_INTENDED;

    expect(notice(finding)).toContain(unless);
    const refused = messageFor(finding, answer("block", "last"), outlook(undefined, { isRefused: true }));
    for (const later of [insisting(finding), refused]) expect(later).not.toContain(unless);
  });

  it.each<[string, Finding]>([
    ["sent again", repeats["the same thing sent or written again"]],
    ["clicked again", repeats["the same act, such as a click"]],
  ])("says nothing of a result that is there where something was %s", (_what, finding) => {
    for (const [, message] of messagesAbout(finding)) expect(message).not.toMatch(/result you/);
  });

  it("becomes graver from notice to warning to last, and stays calm", () => {
    const saying = (tone: Tone, next?: Rung) => messageFor(repeated, answer("nudge", tone, next), outlook(next));

    expect(saying("notice", "nudge")).not.toMatch(/in a loop|warning/);
    expect(saying("warning", "nudge")).toMatch(
      /^\[doomloop\] You are in a loop\. You have now made this `read_file` call/,
    );
    expect(saying("last", "block")).toMatch(/^\[doomloop\] Last warning\. You have now made this `read_file` call/);
    expect(saying("warning", "nudge")).toContain("explain what blocks you");
  });

  it.each(FOUND)("says something else to whom the first words did not help: %s", (_situation, finding) => {
    const [first, ...advice] = notice(finding).split("\n");
    const [second, ...others] = insisting(finding).split("\n");

    expect(second).toMatch(/^\[doomloop\] You are in a loop\. .*\d/);
    expect(second).not.toContain(first!.replace("[doomloop] ", ""));
    expect(others.map((line) => line.slice(0, 2))).toEqual(["1.", "2.", "3."].slice(0, others.length));
    expect(others).not.toEqual(advice);
  });

  it("warns nobody of a loop where nothing but words can follow", () => {
    const message = messageFor(repeated, answer("nudge", "warning"), outlook());

    expect(message).toMatch(
      /^\[doomloop\] You have now made this `read_file` call 3 times, and the result is still the same\./,
    );
    expect(message).not.toMatch(/in a loop|warning/);
  });

  it.each(FOUND)(
    "says what to leave the second time, and what to do to a call that was refused: %s",
    (_situation, finding) => {
      const message = messageFor(finding, answer("block", "last"), outlook(undefined, { isRefused: true }));
      const steps = (message: string) => message.split("\n").filter((line) => /^\d\. /.test(line));

      expect(steps(insisting(finding))).toHaveLength(3);
      expect(steps(message).join()).not.toMatch(/Do not make this call again|Do not repeat these/);
      if (finding.kind !== "text-only") expect(steps(insisting(finding))[0]).toMatch(/Do not |Wait a minute/);
    },
  );

  it.each(["notice", "warning", "last"] as const)("never asks for another way to do what is done: %s", (tone) => {
    const done = repeats["the same thing sent or written again"];

    for (const rung of ["nudge", "restart"] as const) {
      const message = messageFor(done, answer(rung, tone, "block"), outlook("block"));
      expect(message).not.toMatch(/another (?:tool|way|approach)|different|not tried/);
    }
  });

  it.each<[Rung, string]>([
    ["block", "If you keep making this call, such calls will be refused."],
    ["restart", "If you keep making this call, the run will start over."],
    ["stop", "If you keep making this call, the run will be stopped."],
  ])("says with the last warning that %s comes next", (next, words) => {
    expect(messageFor(repeated, answer("nudge", "last", next), outlook(next)).endsWith(`\n${words}`)).toBe(true);
  });

  it("says that the user will be asked where somebody watches", () => {
    const message = messageFor(repeated, answer("nudge", "last", "block"), outlook("block", { isAttended: true }));

    expect(message).toMatch(/\nIf you keep making this call, such calls will need the user's consent\.$/);
  });

  it("says of a refused call that it was not run, and what comes next", () => {
    expect(refused("stop")).toMatch(/^\[doomloop\] This call was not run\. You called `read_file` 3 times/);
    expect(refused("stop")).toMatch(/the run will be stopped\.$/);
    expect(refused()).not.toContain("the run will");
  });

  it.each(FOUND)("lets a refused call that may be waiting come again after a pause: %s", (_situation, finding) => {
    const message = messageFor(finding, answer("block", "last", "stop"), outlook("stop", { isRefused: true }));
    const waits = /If you are waiting, wait 30 seconds first|Wait 30 seconds or more/.test(message);
    const isCall = finding.kind === "repeated-call" || finding.kind === "call-cycle";

    expect(waits).toBe(isCall && !("isDone" in finding.evidence || "isStep" in finding.evidence));
    expect(message).toMatch(finding.kind.includes("text") ? /\w/ : /\nIf you .*, the run will be stopped\.$/);
  });

  it("says of a refused call in an attended run that the user was asked", () => {
    expect(refused(undefined, true)).toMatch(/\nThe user has been asked how to go on\.$/);
  });

  it.each(FOUND)("says that the run is stopped, and asks for nothing more: %s", (_situation, finding) => {
    const message = messageFor(finding, answer("stop", "last"), outlook());

    expect(message).toMatch(/^\[doomloop\] This run is stopped: it is in a loop\. /);
    expect(message).not.toMatch(/report|\n1\. [A-Z]/);
  });

  it("says how to start again when the run starts over", () => {
    const message = messageFor(repeated, answer("restart", "last", "stop"), outlook("stop"));

    expect(message).toMatch(/^\[doomloop\] This run starts over: it is in a loop\. /);
    expect(message).toContain("Take a completely different approach.");
  });

  it.each([
    repeats["checking again, and nothing has changed"],
    repeats["the same failure, because the service is busy"],
    SITUATIONS["call-cycle"]["the same few checks in turn"],
  ])("tells who polls, or meets somebody busy, to wait once, never to vary: $kind $evidence", (finding) => {
    for (const tone of ["notice", "warning", "last"] as const) {
      const message = messageFor(finding, answer("nudge", tone, "block"), outlook("block"));

      expect(message).toMatch(/Wait 30 seconds or more before you call again|Wait a minute or more/);
      expect(message).not.toMatch(/\bvary\b|different (?:arguments|approach|tool)|other words/i);
    }
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

      if (isIdentifier) expect(plain([name]).replaceAll(`\`${name}\``, "one tool")).toBe(plain(["?"]));
      else expect(plain([name])).toBe(plain(["?"]));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it.each(["rm -rf /", "a`b", "a\nb", "", "ä", "x".repeat(65), "_private", "<b>", "read_file\n", "a b"])(
    "calls a tool of the name %j one tool",
    (name) => {
      expect(notice({ ...repeated, tools: [name] })).toMatch(/You called one tool 3 times/);
    },
  );

  it("names the tool of a cycle once if it is always the same", () => {
    const evidence = { ...cycle.evidence, sequence: ["Bash", "Bash", "Bash"] };

    expect(notice({ ...cycle, period: 3, evidence })).toContain("You called `Bash` with 3 different inputs in turn, ");
  });

  it("lists the tools of a cycle, six at most", () => {
    const sequence = ["a", "b", "c", "a", "b", "d", "g"];
    const evidence = { outcome: "exact", isWaiting: false, sequence } as const;

    expect(notice({ ...cycle, period: 7, evidence })).toContain(
      "`a`, `b`, `d`, and 1 more in turn, 3 times, and got the same results.",
    );
  });

  it.each([
    [400, "1 second"],
    [600_000, "10 minutes"],
  ])("says how long the fleet has been at it: %d ms", (windowMs, span) => {
    expect(
      notice({ ...SITUATIONS.fleet["a dead end of other workers"], evidence: { workers: 4, windowMs } }),
    ).toContain(`In the last ${span}, 4 workers made 12 calls to `);
  });

  it("says 1 time and 2 times", () => {
    expect(notice({ ...repeated, count: 1 })).toContain("1 time with");
    expect(notice({ ...repeated, count: 2 })).toContain("2 times with");
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
      expect(notice(finding).split("If ")[0]).not.toMatch(/result|returned|failed/);
      expect(insisting(finding).split("\n")[0]).not.toMatch(/result|returned|failed|worked/);
    }
  });

  it("claims the same result only where it is exactly the same", () => {
    const near = repeats["the same call, nearly the same result"];
    expect(notice(near)).toContain("got nearly the same result each time");
    expect(insisting(near)).toContain("the result is still nearly the same");
    expect(notice(repeated)).toContain("got the same result each time");
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

    expect(given[0]).toMatchObject({ action: "nudge", tone: "notice", next: "nudge", ignored: 0, lasting: undefined });
    expect(given[1]).toMatchObject({ action: "nudge", tone: "last", next: "block", ignored: 1, lasting: { calls: 1 } });
    expect(given[0]!.ours).toMatch(/^\[doomloop\] You called `read_file` 3 times/);
    expect(given[0]!.finding.kind).toBe("repeated-call");
  });

  it("say to people what is said, too", () => {
    expect(saidBy({ messages: { explanation: () => "Der Agent dreht sich im Kreis." } })[0]).toMatchObject({
      explanation: "Der Agent dreht sich im Kreis.",
      message: expect.stringContaining("You called"),
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
