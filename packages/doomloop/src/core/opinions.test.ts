import type { AgentEvent, Decision } from "doomloop";
import { expect, it } from "vitest";
import { createGuard, type GuardConfig, step, times, user } from "../../../../test/builders.ts";
import type { OpinionVerdict } from "./question.ts";

/** Others may change it, so it is not clear. */
const ask = times(10, step("get_status", { of: "replicas" }, "ok: 3 of 4 replicas"));
const mail = step("send_mail", { to: "kim", text: "Where is it?" }, "sent");
/** Only the run changes it: to read it again is a clear loop. */
const read = times(25, step("read_file", { path: "a.ts" }, "export const a = 1;"));
const page = (at: number) =>
  step("get_page", { page: at }, `page ${at} is about ${"abcdefghijklmnopqrstuvwxyz"[at % 26]!.repeat(9)}`);
const pages = (count: number) => Array.from({ length: count }, (_, at) => page(at)).flat();

/** Plays events to a guard that may ask; each question is answered at once, unless there is no answer. */
function play(events: readonly AgentEvent[], verdict?: OpinionVerdict, options: GuardConfig = { questions: 12 }) {
  const guard = createGuard(options);
  const questions: (Decision["question"] & object)[] = [];
  const actions = events.flatMap((event) => {
    const { action, question } = guard.observe(event);
    if (question !== undefined) questions.push(question);
    if (question !== undefined && verdict !== undefined)
      guard.observe({ type: "opinion", question: question.id, verdict });
    return event.type === "result" || action === "block" || action === "stop" ? [action] : [];
  });
  return { actions, questions, stats: guard.stats(), guard };
}
const alone = (events: readonly AgentEvent[]) => play(events, undefined, {});
const first = ({ actions }: { actions: readonly string[] }, action = "nudge") => actions.indexOf(action);

it("asks nothing where it may not, and is not moved by an opinion that nobody asked for", () => {
  const uninvited: AgentEvent = { type: "opinion", question: 1, verdict: "working" };

  expect(alone(ask).questions).toEqual([]);
  expect(alone([uninvited, ...ask, uninvited]).actions).toEqual(alone(ask).actions);
});

it("asks before the first words about a doubtful loop, which wait one round at most", () => {
  const asked = play(ask);

  expect(asked.questions[0]).toMatchObject({ id: 1, why: "confirm", finding: { kind: "repeated-call" } });
  expect([first(asked), first(play(ask, "unsure"))]).toEqual(Array(2).fill(first(alone(ask)) + 1));
});

it("leaves a loop alone for a while that is called work, and refuses sooner what is called stuck", () => {
  const [plain, unanswered, work, stuck] = [
    alone(times(200, mail)),
    ...[undefined, "working", "stuck"].map((verdict) => play(times(200, mail), verdict as OpinionVerdict | undefined)),
  ];

  expect(first(work!)).toBeGreaterThan(first(plain!) + 6);
  expect(work!.actions).toContain("stop");
  expect(first(stuck!, "block")).toBeLessThan(first(unanswered!, "block"));
  expect(first(stuck!, "block")).toBeGreaterThan(5);
});

it.each<OpinionVerdict>(["working", "unsure"])("refuses and ends a clear loop whatever is said: %s", (verdict) => {
  expect(play(read, verdict).actions).toEqual(alone(read).actions);
});

it("asks about a long run at call 20, 40 and 80, and no more often than it may", () => {
  expect(play(pages(100), "working").questions.map(({ why, latest }) => `${why} ${latest}`)).toEqual([
    "patrol 19",
    "patrol 39",
    "patrol 79",
  ]);
  expect(play(pages(400), undefined, { questions: 1 }).questions).toHaveLength(1);
});

it("asks on a hunch, and at growing distances after every 'working'", () => {
  const tried = Array.from({ length: 90 }, (_, at) =>
    step("try_door", { door: at * 7 }, "the door is open now"),
  ).flat();
  const { questions } = play(tried, "working", { questions: 12, detectors: { stalled: false, "same-outcome": false } });
  const latest = questions.filter(({ why }) => why === "hunch").map((question) => question.latest);
  const apart = latest.slice(1).map((at, place) => at - latest[place]!);

  expect([latest[0]! >= 7, latest[0]! < 10, apart[0]! >= 8]).toEqual([true, true, true]);
  expect(apart.slice(1).filter((distance, place) => distance <= apart[place]!)).toEqual([]);
});

it("tells a run that is called stuck so, and never refuses it for that", () => {
  const { actions, stats } = play(pages(60), "stuck");

  expect(actions.filter((action) => action !== "continue")).toEqual(["nudge", "nudge"]);
  expect(stats.opinions).toMatchObject({ asked: 2, stuck: 2 });
});

it("ignores an answer that is late, unknown, given twice or no verdict, and one after the user spoke", () => {
  const { guard } = play(ask.slice(0, 18));
  for (const verdict of ["working", "working", "nonsense"] as OpinionVerdict[])
    for (const question of [1, 2, -1, Number.NaN]) guard.observe({ type: "opinion", question, verdict });
  const { guard: other } = play([...ask.slice(0, 12), user("Something else now.")]);
  other.observe({ type: "opinion", question: 1, verdict: "stuck" });

  expect(guard.stats().opinions).toMatchObject({ asked: 1, working: 0, late: 12 });
  expect(other.stats().opinions).toMatchObject({ asked: 1, late: 1 });
  expect(page(1).map((event) => other.observe(event).action)).toEqual(["continue", "continue"]);
});

it("decides the same on the same events, through a snapshot, too", () => {
  const answer = (at: number): AgentEvent => ({ type: "opinion", question: 1, verdict: at > 20 ? "stuck" : "working" });
  const whole = createGuard({ questions: 12 });
  let parts = createGuard({ questions: 12 });
  for (const event of times(30, mail).flatMap((each, at) => (at % 9 === 8 ? [each, answer(at)] : [each]))) {
    expect(parts.observe(event)).toEqual(whole.observe(event));
    parts = createGuard({ questions: 12, snapshot: JSON.parse(JSON.stringify(parts.snapshot())) });
  }
});
