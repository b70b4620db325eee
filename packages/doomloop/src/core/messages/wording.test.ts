import {
  type AgentEvent,
  createGuard,
  type Decision,
  type GuardOptions,
  type MessageFacts,
  SYSTEM_PROMPT_PARAGRAPH,
  TOOL_DESCRIPTION_PARAGRAPH,
} from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, round, step, times } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import type { Finding, FindingKind } from "../detectors/index.ts";
import type { RepeatedCallFinding } from "../detectors/repeated-call.ts";
import { MESSAGE_PREFIX } from "../message-prefix.ts";
import type { LadderAnswer, Lasting, Rung, Tone } from "../policy/rungs.ts";
import { explanationFor, messageFor, type Outlook } from "./wording.ts";

const FACTS = {
  loop: "0".repeat(32),
  steps: [1, 2, 3],
  count: 3,
  confidence: 0.9,
  isCertain: true,
  tools: ["read_file"],
};

/** Kinds of findings with every variant of their evidence that has words of its own. What all words must do, a detector's contract asks of each. */
const FINDINGS = {
  "repeated-call": [
    { outcome: "exact" as const, isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false, uncounted: [] },
    { outcome: "masked" as const, isFuzzy: true, isWaiting: false, isFailing: true, isBusy: false, uncounted: [] },
    { outcome: "blind" as const, isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false, uncounted: [] },
    { outcome: "exact" as const, isFuzzy: false, isWaiting: true, isFailing: false, isBusy: false, uncounted: [] },
    { outcome: "exact" as const, isFuzzy: false, isWaiting: false, isFailing: true, isBusy: true, uncounted: [] },
  ].map((evidence) => ({ ...FACTS, kind: "repeated-call", evidence })),
  "call-cycle": [false, true].map((isWaiting) => ({
    ...FACTS,
    kind: "call-cycle",
    period: 2,
    tools: ["read_file", "grep"],
    evidence: { outcome: "exact", isWaiting, sequence: ["read_file", "grep"] },
  })),
  "similar-call": [
    { ...FACTS, kind: "similar-call", evidence: { outcome: "similar", isFailing: false } },
    { ...FACTS, kind: "similar-call", evidence: { outcome: "similar", isFailing: true } },
    { ...FACTS, kind: "similar-call", evidence: { outcome: "blind", isFailing: false } },
  ],
  "same-outcome": [false, true].map((isFailing) => ({ ...FACTS, kind: "same-outcome", evidence: { isFailing } })),
  "test-fix": [undefined, 4].map((failing) => ({ ...FACTS, kind: "test-fix", evidence: { failing } })),
  "failure-streak": [false, true].map((isFileWork) => ({ ...FACTS, kind: "failure-streak", evidence: { isFileWork } })),
  stalled: [false, true].map((isEmpty) => ({ ...FACTS, kind: "stalled", evidence: { isEmpty } })),
  "repeated-text": (["text", "reasoning"] as const).map((stream) => ({
    ...FACTS,
    kind: "repeated-text",
    steps: [],
    tools: [],
    period: 80,
    evidence: { stream },
  })),
  "text-only": [false, true].map((isRepeating) => ({
    ...FACTS,
    kind: "text-only",
    steps: [],
    tools: [],
    evidence: { isRepeating },
  })),
  fleet: [{ ...FACTS, kind: "fleet", evidence: { workers: 4, windowMs: 300_000 } }],
} satisfies { readonly [Kind in FindingKind]?: readonly Extract<Finding, { kind: Kind }>[] };
const ALL: readonly Finding[] = Object.values(FINDINGS).flat();
const named = ALL.map((finding) => [finding.kind, JSON.stringify(finding.evidence), finding] as const);

const answer = (rung: Rung, tone: Tone, next?: Rung): LadderAnswer => ({ rung, tone, next });
const outlook = (next?: Rung, more: Partial<Outlook> = {}): Outlook => ({
  next,
  isRefused: false,
  isAttended: false,
  isShadow: false,
  ...more,
});
const notice = (finding: Finding) => messageFor(finding, answer("nudge", "notice", "nudge"), outlook("nudge"));
const insisting = (finding: Finding) => messageFor(finding, answer("nudge", "warning", "nudge"), outlook("nudge"));
const repeated = FINDINGS["repeated-call"][0]!;
const refused = (next?: Rung, isAttended = false) =>
  messageFor(repeated, answer("block", "last", next), outlook(next, { isRefused: true, isAttended }));

describe("messageFor", () => {
  it.each(named)("begins with the prefix, states the fact and advises in order: %s %s", (_kind, _evidence, finding) => {
    const lines = notice(finding)
      .split("\n")
      .filter((line) => !line.startsWith("  "));

    expect(lines[0]).toMatch(/^\[doomloop\] .*\d.*[.:]$/);
    expect(lines.slice(-3).map((line) => line.slice(0, 3))).toEqual(["1. ", "2. ", "3. "]);
  });

  it.each(named)("leaves the first time a way to go on that costs nothing: %s %s", (_kind, _evidence, finding) => {
    const waits = notice(finding).includes("one blocking wait");
    const unless = waits
      ? "If you are waiting for something:\n1. "
      : "If you intend this, say what you expect to be different, and go on. Otherwise:\n1. ";

    expect(notice(finding)).toContain(unless);
    const refused = messageFor(finding, answer("block", "last"), outlook(undefined, { isRefused: true }));
    for (const later of [insisting(finding), refused]) expect(later).not.toContain(unless);
    // What was refused wrongly, because it waits, is told how to go on.
    expect(refused).toContain("wait first, for example with `sleep 30`: then the call is run.");
  });

  it("says of what was done again that it was done, not that its result is there", () => {
    const mails = named.map(([, , each]) => each).find(({ kind }) => kind === "repeated-call") as RepeatedCallFinding;
    const sent: Finding = { ...mails, evidence: { ...mails.evidence, isFailing: false, isDone: true } };

    expect(notice(sent)).toContain("and it was done each time.");
    expect(notice(sent)).not.toContain("Use the result");
    expect(insisting(sent)).toMatch(/You have done the same with `\w+` \d+ times/);
  });

  it.each(named)("has words of its own: %s %s", (_kind, _evidence, finding) => {
    const others = ALL.filter((other) => other !== finding).map(notice);

    expect(others).not.toContain(notice(finding));
  });

  it("becomes graver from notice to warning to last", () => {
    const saying = (tone: Tone, next?: Rung) => messageFor(repeated, answer("nudge", tone, next), outlook(next));

    expect(saying("notice", "nudge")).not.toMatch(/WARNING|CRITICAL|last warning/);
    expect(saying("warning", "nudge")).toMatch(/^\[doomloop\] WARNING: you are in a loop\. Your last call of/);
    expect(saying("last", "block")).toMatch(/^\[doomloop\] CRITICAL: you are in a loop\. Your last call of/);
    expect(saying("warning", "nudge")).toContain("explain what you are stuck on");
  });

  it.each(named)("says something else to whom the first words did not help: %s %s", (_kind, _evidence, finding) => {
    const [first, ...advice] = notice(finding).split("\n");
    const [second, ...others] = insisting(finding).split("\n");

    expect(second).toMatch(/^\[doomloop\] WARNING: you are in a loop\. .*\d/);
    expect(second).not.toContain(first!.replace("[doomloop] ", ""));
    expect(others.map((line) => line.slice(0, 3))).toEqual(["1. ", "2. ", "3. "]);
    if (!advice.join().includes("one blocking wait")) expect(others).not.toEqual(advice);
  });

  it("warns nobody of a loop where nothing but words can follow", () => {
    const message = messageFor(repeated, answer("nudge", "warning"), outlook());

    expect(message).toMatch(/^\[doomloop\] Your last call of `read_file` brought the same result again\./);
    expect(message).not.toMatch(/WARNING|CRITICAL|last warning/);
  });

  it("asks for another way the second time, and tells what to do the first", () => {
    expect(insisting(repeated)).toContain("Name one thing that you have not tried yet");
    expect(notice(repeated)).toContain("Use the result that you already have.");
    expect(refused()).toContain("Use the result that you already have.");
  });

  it.each<[Lasting | undefined, string]>([
    [{ calls: 1, ms: undefined }, " You were first told 1 call ago.\n"],
    [{ calls: 12, ms: undefined }, " You were first told 12 calls ago.\n"],
    [{ calls: 12, ms: 45_000 }, " You were first told 12 calls (45 seconds) ago.\n"],
    [{ calls: 12, ms: 600_000 }, " You were first told 12 calls (10 minutes) ago.\n"],
    [{ calls: 12, ms: 999 }, " You were first told 12 calls ago.\n"],
    [{ calls: 12, ms: -60_000 }, " You were first told 12 calls ago.\n"],
    [{ calls: 0, ms: 45_000 }, "Nothing has changed in 3 calls.\n"],
    [undefined, "Nothing has changed in 3 calls.\n"],
  ])("says how long ago the first words were: %j", (lasting, words) => {
    const reminder = { ...answer("nudge", "warning", "nudge"), ...(lasting && { lasting }) };

    expect(messageFor(repeated, reminder, outlook("nudge"))).toContain(words);
  });

  it.each<[Rung, string]>([
    ["block", "This is the last warning: further calls like this one will be refused."],
    ["restart", "This is the last warning: if you go on like this, the run will start over."],
    ["stop", "This is the last warning: if you go on like this, the run will be stopped."],
  ])("says with the last warning that %s comes next", (next, words) => {
    expect(messageFor(repeated, answer("nudge", "last", next), outlook(next)).endsWith(`\n${words}`)).toBe(true);
  });

  it("says of a refused call that it was not run, and what comes next", () => {
    expect(refused("stop")).toMatch(/^\[doomloop\] This call was not run\. You called `read_file` 3 times/);
    expect(refused("stop")).toMatch(/the run will be stopped\.$/);
    expect(refused()).not.toContain("the run will");
  });

  it("says of a refused call in an attended run that the user was asked", () => {
    expect(refused(undefined, true)).toMatch(/\nThe user has been asked how to go on\.$/);
  });

  it.each(named)("says that the run is stopped, and asks for nothing more: %s %s", (_kind, _evidence, finding) => {
    const message = messageFor(finding, answer("stop", "last"), outlook());

    expect(message).toMatch(/^\[doomloop\] Loop detected, and the run is stopped\. /);
    expect(message).not.toMatch(/report|\n1\. [A-Z]/);
  });

  it("says how to begin anew when the run starts over", () => {
    const message = messageFor(repeated, answer("restart", "last", "stop"), outlook("stop"));

    expect(message).toMatch(/^\[doomloop\] Loop detected, and the run starts over\. /);
    expect(message).toContain("fundamentally different approach");
  });

  it.each([FINDINGS["repeated-call"][3]!, FINDINGS["repeated-call"][4]!, FINDINGS["call-cycle"][1]!])(
    "tells who polls, or meets somebody busy, to wait once, never to vary: $kind $evidence",
    (finding) => {
      for (const tone of ["notice", "warning", "last"] as const) {
        const message = messageFor(finding, answer("nudge", tone, "block"), outlook("block"));

        expect(message).toContain("one blocking wait");
        expect(message).not.toMatch(/\bvary\b|different (?:arguments|approach|tool)|other words/i);
      }
    },
  );

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

  it("lists the tools of a cycle, six at most", () => {
    const sequence = ["a", "b", "c", "a", "b", "d", "g"];
    const evidence = { outcome: "exact", isWaiting: false, sequence } as const;

    expect(notice({ ...FINDINGS["call-cycle"][0]!, period: 7, evidence })).toContain(
      "\n  4. `a`\n  5. `b`\n  6. `d`\nIf you intend this",
    );
  });

  it.each([
    [400, "1 second"],
    [600_000, "10 minutes"],
  ])("says how long the fleet has been at it: %d ms", (windowMs, span) => {
    expect(notice({ ...FINDINGS.fleet[0]!, evidence: { workers: 4, windowMs } })).toContain(
      `In the last ${span}, 4 workers made 3 calls`,
    );
  });

  it("says 1 time and 2 times", () => {
    expect(notice({ ...repeated, count: 1 })).toContain("1 time with");
    expect(notice({ ...repeated, count: 2 })).toContain("2 times with");
  });
});

describe("the sentence of each kind", () => {
  it.each<[Finding, string]>([
    [FINDINGS["repeated-call"][0]!, "You called `read_file` 3 times with the same arguments and got the same result."],
    [FINDINGS["repeated-call"][1]!, "You called `read_file` 3 times for the same thing and it failed the same way."],
    [FINDINGS["repeated-call"][2]!, "You called `read_file` 3 times with the same arguments."],
    [FINDINGS["repeated-call"][3]!, "You asked `read_file` 3 times and nothing has changed."],
    [FINDINGS["similar-call"][0]!, "3 times with nearly the same arguments, and the results are the same."],
    [FINDINGS["similar-call"][1]!, "3 times with nearly the same arguments, and each of them failed."],
    [FINDINGS["similar-call"][2]!, "3 times with nearly the same arguments."],
    [FINDINGS["same-outcome"][0]!, "3 times in different ways and got the same answer."],
    [FINDINGS["same-outcome"][1]!, "Different attempts failed in the same way 3 times, last with `read_file`."],
    [FINDINGS["test-fix"][1]!, "(4 failing)"],
    [FINDINGS["failure-streak"][0]!, "The last 3 calls of `read_file` failed, one after the other."],
    [FINDINGS["failure-streak"][1]!, "Use the file tools for this"],
    [FINDINGS.stalled[0]!, "3 times for much the same thing, and learned nothing new."],
    [FINDINGS.stalled[1]!, "3 times for much the same thing, and found nothing."],
    [FINDINGS["repeated-text"][0]!, "Your answer repeated the same 80 characters 3 times."],
    [FINDINGS["repeated-text"][1]!, "Your reasoning repeated the same 80 characters 3 times."],
    [FINDINGS["text-only"][0]!, "You gave 3 answers in a row without a tool call."],
    [
      FINDINGS["text-only"][1]!,
      "You gave the same answer again without doing anything (3 answers without a tool call).",
    ],
    [
      FINDINGS.fleet[0]!,
      "In the last 5 minutes, 4 workers made 3 calls of `read_file` like this one: each failed, or brought nothing new.",
    ],
    [
      FINDINGS["call-cycle"][0]!,
      "You repeated the same sequence of 2 calls 3 times with the same results:\n  1. `read_file`\n  2. `grep`\n",
    ],
  ])("tells what happened: $kind", (finding, words) => {
    expect(notice(finding)).toContain(words);
  });

  it("does not claim results where none were looked at", () => {
    const cycle = FINDINGS["call-cycle"][0]!;

    const blind: Finding[] = [
      { ...cycle, evidence: { ...cycle.evidence, outcome: "blind" } },
      FINDINGS["repeated-call"][2]!,
      FINDINGS["similar-call"][2]!,
    ];
    for (const finding of blind) {
      expect(notice(finding).split("If you ")[0]).not.toMatch(/result|brought|failed/);
      expect(insisting(finding).split("\n")[0]).not.toMatch(/result|brought|failed|worked/);
    }
  });
});

describe("explanationFor", () => {
  it.each(named)("is about the agent, to somebody else: %s %s", (_kind, _evidence, finding) => {
    const explanation = explanationFor(finding, answer("nudge", "notice", "nudge"), outlook("nudge"));

    expect(explanation).not.toMatch(/\byou(?:rs?)?\b|\[doomloop\]/i);
    expect(explanation).toMatch(/It was told so\.$/);
  });

  it("names the agent where the message says you", () => {
    expect(explanationFor(repeated, answer("nudge", "notice"), outlook())).toMatch(
      /^The agent called `read_file` 3 times/,
    );
    expect(explanationFor(FINDINGS["repeated-text"][0]!, answer("nudge", "notice"), outlook())).toMatch(
      /^The agent's answer /,
    );
  });

  it.each<[Rung, string]>([
    ["nudge", "It was told so."],
    ["block", "The call was refused."],
    ["restart", "The run starts over."],
  ])("says what was done: %s", (rung, words) => {
    expect(explanationFor(repeated, answer(rung, "last", "stop"), outlook("stop")).endsWith(words)).toBe(true);
  });

  it("tells people of a stop in a sentence that can stand by itself", () => {
    expect(explanationFor(repeated, answer("stop", "last"), outlook())).toBe(
      "Stopped: the agent called `read_file` 3 times with the same arguments and got the same result.",
    );
  });

  it.each<Rung>(["nudge", "block", "restart", "stop"])("claims nothing where nothing is done: %s", (rung) => {
    const explanation = explanationFor(
      repeated,
      answer(rung, "last"),
      outlook(undefined, { isShadow: true, isAttended: true }),
    );

    expect(explanation).toMatch(/Outside shadow mode .* would /);
    expect(explanation).not.toMatch(/was told|was refused|was stopped|starts over|\?/);
  });

  it("asks the human who watches at the top of the ladder, and nobody else", () => {
    const asked = (isAttended: boolean, next?: Rung) =>
      explanationFor(repeated, answer("block", "last", next), outlook(next, { isAttended, isRefused: true }));

    expect(asked(true)).toMatch(/Shall it go on, take another way, or stop\?$/);
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
    expect(SYSTEM_PROMPT_PARAGRAPH).toMatch(/tests again after an edit, .*next page.* waiting .* do not count/);
  });

  it.each([SYSTEM_PROMPT_PARAGRAPH, TOOL_DESCRIPTION_PARAGRAPH])("are one paragraph of plain text", (paragraph) => {
    expect(paragraph).toMatch(/^[A-Z][^\n]{100,}\.$/);
  });
});

const look = [round, ...step("read_file", { path: "a.ts" }, "x".repeat(300))];
const stuck: readonly AgentEvent[] = times(9, look);

/** What a guard says, where it says something. */
function saidBy(options: GuardOptions): Decision[] {
  const guard = createGuard({ ladderPace: false, ...options });
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
    const run = createHostRuns({ ladderPace: false, messages }, abilities).start();
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
    const guard = createGuard({ messages: { block: () => "No." }, ladderPace: false });
    for (const event of [...times(4, look), round]) guard.observe(event);

    expect(guard.observe(call("read_file", { path: "a.ts" }))).toMatchObject({
      action: "block",
      message: "[doomloop] No.",
    });
  });
});
