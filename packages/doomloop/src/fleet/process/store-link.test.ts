import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { storeRefusal } from "../store.ts";
import { createFleetWatch } from "./fleet-watch.ts";
import type { FleetNotice } from "./store-fleet-options.ts";
import { createStoreLink, type StoreFault, type StoreLink } from "./store-link.ts";

type Ask = () => Promise<readonly string[]>;

const failing: Ask = () => Promise.reject(new Error("connection lost"));
const answering: Ask = async () => ["PONG"];

/** A link to a store that behaves like `ask`, and the notices it gave. */
function linkTo(ask: Ask, deadlineMs = 60_000) {
  const store = { ask };
  const told: string[] = [];
  const watch = {
    ...createFleetWatch({}),
    notify: (notice: FleetNotice) => void told.push("reason" in notice ? `away: ${notice.reason}` : notice.kind),
    refused: (what: string, { message }: Error) => void told.push(`${what} refused: ${message}`),
    taken: (what: string) => what !== "ping" && told.push(`${what} taken`) > 0,
    answered: (_: number, fault: StoreFault | undefined) => void (fault && told.push(fault.kind)),
  };
  const link = createStoreLink(deadlineMs, watch, () => {
    told.push("back");
  });
  const ping = (take: (answer: readonly string[] | Error) => void = () => {}) =>
    link.ask("ping", [() => store.ask()], take);
  return { store, told, link, ping };
}

async function answersOf(link: StoreLink, what: string, questions: readonly Ask[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  await link.ask(what, questions, (answer, at) => {
    answers[at] = answer;
  });
  return answers;
}

describe("a link to a store", () => {
  it("is connected with the first answer", async () => {
    const { link, told } = linkTo(answering);
    expect(link.state()).toBe("connecting");

    expect(await answersOf(link, "ping", [answering])).toEqual([["PONG"]]);
    expect([link.state(), told]).toEqual(["connected", []]);
  });

  it("reports the store away at the second fault in a row, once, and back at the first answer", async () => {
    const { store, link, told, ping } = linkTo(failing);
    await ping();
    expect(link.state()).toBe("connecting");
    await ping();
    await ping();
    expect([link.state(), told]).toEqual(["away", ["failed", "away: connection lost", "failed", "failed"]]);

    store.ask = answering;
    await ping();
    expect([link.state(), link.pauseMs(), told.at(-1)]).toEqual(["connected", 0, "back"]);
  });

  it("forgives faults that do not follow each other", async () => {
    const { store, link, ping } = linkTo(answering);
    for (const ask of [failing, answering, failing, answering, failing]) {
      store.ask = ask;
      await ping();
    }

    expect(link.state()).toBe("connected");
  });

  it("waits until the deadline, and still takes answers that come later", async () => {
    let answer = (_replies: readonly string[]): void => {};
    const pending = new Promise<readonly string[]>((resolve) => {
      answer = resolve;
    });
    const { link, told, ping } = linkTo(() => pending, 1);
    const taken = new Promise<unknown>((resolve) => {
      const asked = ping(resolve);
      asked.then(async (fault) => {
        expect(fault).toEqual({ kind: "timeout", reason: "no reply within 1 ms" });
        await ping();
        expect(link.state()).toBe("away");
        answer(["PONG"]);
      });
    });

    expect(await taken).toEqual(["PONG"]);
    expect([link.state(), told]).toEqual([
      "connected",
      ["timeout", "away: no reply within 1 ms", "timeout", "store-back", "back"],
    ]);
  });

  it("stays connected while a part of the store answers", async () => {
    const { link } = linkTo(answering);
    for (let asked = 0; asked < 3; asked++) {
      expect(await answersOf(link, "count", [answering, failing])).toEqual([["PONG"], expect.any(Error)]);
    }

    expect(link.state()).toBe("connected");
  });

  it("reports what the store refuses, as a whole or in part, and when it refuses nothing any more", async () => {
    const { link, told } = linkTo(answering);
    const refusing: Ask = () => Promise.reject(storeRefusal("OOM no memory"));
    const refusingInPart = () => Promise.resolve({ refusal: storeRefusal("NOPERM time") });

    expect(await answersOf(link, "count", [refusing])).toEqual([expect.objectContaining({ message: "OOM no memory" })]);
    await answersOf(link, "count", [answering]);
    await link.ask("beat", [refusingInPart], () => {});
    expect([link.state(), told]).toEqual([
      "connected",
      ["count refused: OOM no memory", "count taken", "beat refused: NOPERM time"],
    ]);
  });

  it.each([
    ["says no word that can be read", () => Promise.reject("gone"), "gone"],
    ["throws at once", (): never => raise("closed"), "closed"],
  ])("treats a store that %s as one that does not answer", async (_, ask, reason) => {
    const { link, told, ping } = linkTo(ask);
    for (let asked = 0; asked < 2; asked++) await ping();

    expect([link.state(), told[1]]).toEqual(["away", `away: ${reason}`]);
  });

  it("shows a reason as one short line of plain ASCII", async () => {
    const { told, ping } = linkTo(() => Promise.reject(new Error(`a\nb\u001b[31m ${"x".repeat(500)}`)));
    for (let asked = 0; asked < 2; asked++) await ping();

    expect(told[1]).toMatch(/^away: a b \[31m x{100,120}$/);
  });

  it("pauses for a random time up to a limit that doubles with each fault, and at most 30 seconds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (faults) => {
        const { link, ping } = linkTo(failing);
        for (let fault = 0; fault < faults; fault++) await ping();
        const longestMs = Math.min(30_000, 1000 * 2 ** faults);
        const pauses = Array.from({ length: 100 }, link.pauseMs);

        expect(Math.min(...pauses)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...pauses)).toBeLessThanOrEqual(longestMs);
        // Full jitter: processes that lost the store together do not come back together.
        expect(Math.max(...pauses) - Math.min(...pauses)).toBeGreaterThan(longestMs / 2);
      }),
      { numRuns: Math.ceil(propertyRuns() / 20) },
    );
  });
});

function raise(message: string): never {
  throw new Error(message);
}
