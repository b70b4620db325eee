import { type AgentEvent, createGuard } from "doomloop";
import { describe, expect, it } from "vitest";
import { call, result, round, user } from "../../../../test/builders.ts";

const HOURS = "Monday to Friday from nine to six, Saturday from ten to four, closed on Sundays and on public holidays.";

/** What a guard does, and what it tells the host. */
function play(events: readonly AgentEvent[]): {
  readonly actions: readonly string[];
  readonly told: readonly string[];
} {
  const told: string[] = [];
  const guard = createGuard({ onFault: (fault) => void told.push((fault as Error).message) });
  const actions = events.map((event) => guard.observe(event).action).filter((action) => action !== "continue");
  return { actions: [...new Set(actions)], told };
}

const opening = (id: string): AgentEvent[] => [round, call("get_opening_hours", { shop: "berlin" }, { id })];
const answer = (id: string): AgentEvent => result(HOURS, { id });

/** Customers in one guard: each begins before the one before has its answer. */
const takingTurns = Array.from({ length: 60 }, (_, at) => [
  ...opening(`${at}`),
  ...(at === 0 ? [] : [answer(`${at - 1}`)]),
]).flat();

/** Runs of three answers, one after another. Each counts its calls from the beginning. */
const countingAnew = Array.from({ length: 30 }, () =>
  ["get_opening_hours", "list_slots", "get_prices"].flatMap((tool, at) => [
    round,
    call(tool, { shop: "berlin" }, { id: `call_${at}` }),
    result(`${tool}: ${HOURS}`, { id: `call_${at}` }),
  ]),
).flat();

describe("several runs in one guard", () => {
  it.each([
    ["take turns", takingTurns],
    ["count their calls anew", countingAnew],
  ])("are told of once, and only warned, if they %s", (_, events) => {
    const { actions, told } = play(events);

    expect(told).toEqual([expect.stringContaining("one guard watches one run")]);
    expect(actions).toEqual(["nudge"]);
  });

  it("take back an end that came before they were noticed", () => {
    const guard = createGuard({ onFault: () => undefined });
    const loop = Array.from({ length: 40 }, (_, at) => [...opening(`a${at}`), answer(`a${at}`)]).flat();
    const ended = loop.map((event) => guard.observe(event).action);
    for (const event of takingTurns) guard.observe(event);

    expect(ended.at(-2)).toBe("stop");
    expect(guard.observe(call("get_prices", { shop: "berlin" })).action).toBe("continue");
  });
});

describe("one run", () => {
  const looping = (idOf: (at: number) => string) =>
    Array.from({ length: 40 }, (_, at) => [...opening(idOf(at)), answer(idOf(at))]).flat();

  it.each([
    ["numbers the calls of each answer", () => "call_0"],
    ["names calls by their tool", () => "get_opening_hours"],
    ["counts all calls", (at: number) => `call_${at}`],
    ["counts anew now and then", (at: number) => `call_${at % 20}`],
  ])("is ended though its host %s", (_, idOf) => {
    const { actions, told } = play(looping(idOf));

    expect(told).toEqual([]);
    expect(actions).toContain("stop");
  });

  it("is judged though a slow tool answers late now and then", () => {
    const late = [...opening("slow"), ...looping((at) => `${at}`), answer("slow")];

    expect(play(late)).toMatchObject({ told: [], actions: expect.arrayContaining(["stop"]) });
  });

  it("may count anew whenever the user speaks", () => {
    const turns = Array.from({ length: 9 }, (_, turn) => [
      user(
        [
          "Book it.",
          "And the hotel?",
          "Cheaper, please.",
          "Any train?",
          "Ask Kim.",
          "Pay.",
          "Mail it.",
          "Bye",
          "One more",
        ][turn]!,
      ),
      ...[0, 1, 2].flatMap((at) => [
        round,
        call(`step_${at}`, { turn }, { id: `call_${at}` }),
        result(`done ${turn}`, { id: `call_${at}` }),
      ]),
    ]).flat();

    expect(play(turns).told).toEqual([]);
  });
});
