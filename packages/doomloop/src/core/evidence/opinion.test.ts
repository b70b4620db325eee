import type { AgentEvent, Decision } from "doomloop";
import { describe, expect, it } from "vitest";
import { createGuard, type GuardConfig, step, times, user } from "../../../../../test/builders.ts";
import type { OpinionVerdict } from "../question.ts";

const RECORD =
  "This record of a customer does not change, however often and in whatever mood somebody asks for it today.";
/** Others may change it, so it is not clear. */
const ask = step("get_record", { id: 7 }, RECORD);
const mail = step("send_mail", { to: "kim", text: "Where is it?" }, "sent");
/** Only the run changes it: to read it again is a clear loop. */
const read = step("read_file", { path: "a.ts" }, RECORD);
const news = (at: number) =>
  step("get_page", { page: at }, `page ${at} is about ${"abcdefghijklmnopqrstuvwxyz"[at % 26]!.repeat(9)}`);

interface Told {
  readonly actions: readonly string[];
  readonly questions: readonly (Decision["question"] & object)[];
  readonly guard: ReturnType<typeof createGuard>;
}

/** Plays events to a guard that may ask; each question is answered at once, unless there is no answer. */
function play(
  events: readonly AgentEvent[],
  answer?: OpinionVerdict | ((why: string) => OpinionVerdict | undefined),
  options: GuardConfig = { questions: 12 },
): Told {
  const guard = createGuard(options);
  const actions: string[] = [];
  const questions: (Decision["question"] & object)[] = [];
  for (const event of events) {
    const { action, question } = guard.observe(event);
    if (event.type === "result" || action === "block" || action === "stop") actions.push(action);
    if (question === undefined) continue;
    questions.push(question);
    const verdict = typeof answer === "function" ? answer(question.why) : answer;
    if (verdict !== undefined) guard.observe({ type: "opinion", question: question.id, verdict });
  }
  return { actions, questions, guard };
}

const firstWords = ({ actions }: Told): number => actions.indexOf("nudge");

describe("a guard that may not ask", () => {
  it("asks nothing, whatever happens", () => {
    expect(play(times(40, ask), undefined, {}).questions).toEqual([]);
  });

  it("is not moved by an opinion that nobody asked for", () => {
    const uninvited: AgentEvent = { type: "opinion", question: 1, verdict: "working" };
    const told = (events: readonly AgentEvent[]) => play(events, undefined, {}).actions;

    expect(told([uninvited, ...times(40, ask), uninvited])).toEqual(told(times(40, ask)));
  });
});

describe("a doubtful loop", () => {
  it("is asked about before the first words, which wait one round at most", () => {
    const alone = play(times(10, ask), undefined, {});
    const asked = play(times(10, ask));

    expect(asked.questions[0]).toMatchObject({ id: 1, why: "confirm", finding: { kind: "repeated-call" } });
    expect(firstWords(asked)).toBe(firstWords(alone) + 1);
  });

  it("is told as without an opinion if the answer is unsure", () => {
    expect(firstWords(play(times(10, ask), "unsure"))).toBe(firstWords(play(times(10, ask))));
  });

  it("is left alone for a while if it is called work, and not for ever", () => {
    const { actions } = play(times(200, mail), "working");
    const alone = play(times(200, mail), undefined, {}).actions;

    expect(actions.indexOf("nudge")).toBeGreaterThan(alone.indexOf("nudge") + 6);
    expect(actions).toContain("stop");
  });

  it("is refused sooner if it is called stuck, but never by that alone", () => {
    const refusedAt = (answer?: OpinionVerdict) => play(times(60, mail), answer).actions.indexOf("block");

    expect(refusedAt("stuck")).toBeLessThan(refusedAt());
    expect(refusedAt("stuck")).toBeGreaterThan(5);
  });
});

describe("a clear loop", () => {
  it.each<OpinionVerdict>(["working", "unsure"])(
    "is refused and ended as without an opinion that says %s",
    (verdict) => {
      const alone = play(times(25, read), undefined, {}).actions;

      expect(play(times(25, read), verdict).actions).toEqual(alone);
    },
  );
});

describe("a run without a finding", () => {
  const steps = (length: number) => Array.from({ length }, (_, at) => news(at)).flat();

  it("is asked about at call 20, 40 and 80, and not in between", () => {
    const { questions } = play(steps(100), "working");

    expect(questions.map(({ why, latest }) => [why, latest])).toEqual([
      ["patrol", 19],
      ["patrol", 39],
      ["patrol", 79],
    ]);
  });

  it("is asked about on a hunch, and at growing distances after every 'working'", () => {
    const tried = Array.from({ length: 90 }, (_, at) =>
      step("try_door", { door: at * 7 }, "the door is open now"),
    ).flat();
    const latest = play(tried, "working", { questions: 12, detectors: { stalled: false, "same-outcome": false } })
      .questions.filter(({ why }) => why === "hunch")
      .map((question) => question.latest);

    expect(latest[0]).toBeGreaterThanOrEqual(7);
    expect(latest[0]).toBeLessThan(10);
    const apart = latest.slice(1).map((at, place) => at - latest[place]!);
    expect(apart[0]).toBeGreaterThanOrEqual(8);
    for (const [place, distance] of apart.slice(1).entries()) expect(distance).toBeGreaterThan(apart[place]!);
  });

  it("is told in words of their own if it is called stuck, and never refused for that", () => {
    const { actions, guard } = play(steps(60), "stuck");

    expect(actions.filter((action) => action === "nudge")).toHaveLength(2);
    expect(actions).not.toContain("block");
    expect(guard.stats().opinions).toMatchObject({ asked: 2, stuck: 2 });
  });

  it("is asked about so often, and no more", () => {
    expect(play(steps(400), undefined, { questions: 1 }).questions).toHaveLength(1);
  });
});

describe("an answer", () => {
  it("does nothing if it is late, unknown, given twice or no verdict", () => {
    const guard = createGuard({ questions: 12 });
    let id = 0;
    for (const event of times(9, ask)) id = guard.observe(event).question?.id ?? id;
    for (const verdict of ["working", "working", "nonsense"] as OpinionVerdict[])
      for (const question of [id, id + 1, -1, Number.NaN]) guard.observe({ type: "opinion", question, verdict });

    expect(guard.stats().opinions).toMatchObject({ asked: 1, working: 0, late: 12 });
  });

  it("is forgotten with the question when the user speaks", () => {
    const guard = createGuard({ questions: 12 });
    let id = 0;
    for (const event of times(3, ask)) id = guard.observe(event).question?.id ?? id;
    guard.observe(user("Something else now."));
    guard.observe({ type: "opinion", question: id, verdict: "stuck" });

    expect(guard.stats().opinions.late).toBe(1);
    expect(guard.observe(news(1)[0]!).action).toBe("continue");
    expect(guard.observe(news(1)[1]!).action).toBe("continue");
  });

  it("is part of the trace: the same events give the same decisions, through a snapshot, too", () => {
    const answers = (): AgentEvent[] =>
      times(30, mail).flatMap((event, at) =>
        at % 9 === 8 ? [event, { type: "opinion", question: 1, verdict: at > 20 ? "stuck" : "working" }] : [event],
      );
    const whole = createGuard({ questions: 12 });
    let parts = createGuard({ questions: 12 });
    for (const event of answers()) {
      const one = whole.observe(event);
      expect(parts.observe(event)).toEqual(one);
      parts = createGuard({ questions: 12, snapshot: JSON.parse(JSON.stringify(parts.snapshot())) });
    }
  });
});
