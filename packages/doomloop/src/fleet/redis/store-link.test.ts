import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createFleetWatch } from "./fleet-watch.ts";
import type { RedisCommands } from "./redis-commands.ts";
import type { FleetNotice } from "./redis-fleet-options.ts";
import { createStoreLink, type GroupAnswer, type StoreFault, type StoreLink } from "./store-link.ts";

const ping = [[["PING"] as const]];
const failing: RedisCommands["send"] = () => Promise.reject(new Error("connection lost"));
const answering: RedisCommands["send"] = async (commands) => commands.map(() => "PONG");

/** A link to a store that behaves like `send`, and the notices it gave. */
function linkTo(send: RedisCommands["send"], deadlineMs = 60_000) {
  const store = { send };
  const told: string[] = [];
  const watch = {
    ...createFleetWatch({}),
    notify: (notice: FleetNotice) => void told.push("reason" in notice ? `away: ${notice.reason}` : notice.kind),
    refused: (what: string, { message }: Error) => void told.push(`${what} refused: ${message}`),
    taken: (what: string) => what !== "PING" && told.push(`${what} taken`) > 0,
    answered: (_: number, fault: StoreFault | undefined) => void (fault && told.push(fault.kind)),
  };
  const link = createStoreLink({ send: (commands) => store.send(commands) }, deadlineMs, watch, () => {
    told.push("back");
  });
  return { store, told, link };
}

async function answersOf(link: StoreLink, groups: Parameters<StoreLink["ask"]>[0]): Promise<GroupAnswer[]> {
  const answers: GroupAnswer[] = [];
  await link.ask(groups, (answer, at) => {
    answers[at] = answer;
  });
  return answers;
}

describe("a link to a store", () => {
  it("is connected with the first answer", async () => {
    const { link, told } = linkTo(answering);
    expect(link.state()).toBe("connecting");

    expect(await answersOf(link, ping)).toEqual([["PONG"]]);
    expect([link.state(), told]).toEqual(["connected", []]);
  });

  it("reports the store away at the second fault in a row, once, and back at the first answer", async () => {
    const { store, link, told } = linkTo(failing);
    await link.ask(ping, () => {});
    expect(link.state()).toBe("connecting");
    await link.ask(ping, () => {});
    await link.ask(ping, () => {});
    expect([link.state(), told]).toEqual(["away", ["failed", "away: connection lost", "failed", "failed"]]);

    store.send = answering;
    await link.ask(ping, () => {});
    expect([link.state(), link.pauseMs(), told.at(-1)]).toEqual(["connected", 0, "back"]);
  });

  it("forgives faults that do not follow each other", async () => {
    const { store, link } = linkTo(answering);
    for (const send of [failing, answering, failing, answering, failing]) {
      store.send = send;
      await link.ask(ping, () => {});
    }

    expect(link.state()).toBe("connected");
  });

  it("waits until the deadline, and still takes answers that come later", async () => {
    let answer = (_replies: readonly unknown[]): void => {};
    const pending = new Promise<readonly unknown[]>((resolve) => {
      answer = resolve;
    });
    const { link, told } = linkTo(() => pending, 1);
    const taken = new Promise<GroupAnswer>((resolve) => {
      const asked = link.ask(ping, resolve);
      asked.then(async (fault) => {
        expect(fault).toEqual({ kind: "timeout", reason: "no reply within 1 ms" });
        await link.ask(ping, () => {});
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
    const { link } = linkTo((commands) => (commands[0]?.[1] === "gone" ? failing(commands) : answering(commands)));
    const groups = [[["GET", "here"] as const], [["GET", "gone"] as const]];
    for (let asked = 0; asked < 3; asked++) {
      expect(await answersOf(link, groups)).toEqual([["PONG"], expect.any(Error)]);
    }

    expect(link.state()).toBe("connected");
  });

  it("reports commands that the store rejects, and when none is rejected any more", async () => {
    const refusal = new Error("OOM no memory");
    const { store, link, told } = linkTo(async () => ["OK", refusal]);
    const group = [["MGET", "a"] as const, ["PFADD", "a", "b"] as const];

    expect(await answersOf(link, [group])).toEqual([["OK", refusal]]);
    store.send = answering;
    await link.ask([group], () => {});
    expect([link.state(), told]).toEqual(["connected", ["MGET refused: OOM no memory", "MGET taken"]]);
  });

  it.each([
    ["refuses everything", async () => [new Error("LOADING")], "LOADING"],
    ["leaves out a reply", async () => [], "replies are missing"],
    ["says no word that can be read", () => Promise.reject("gone"), "gone"],
    ["throws at once", (): never => raise("closed"), "closed"],
  ])("treats a store that %s as one that does not answer", async (_, send, reason) => {
    const { link, told } = linkTo(send);
    for (let asked = 0; asked < 2; asked++) await link.ask(ping, () => {});

    expect([link.state(), told[1]]).toEqual(["away", `away: ${reason}`]);
  });

  it("shows a reason as one short line of plain ASCII", async () => {
    const { link, told } = linkTo(() => Promise.reject(new Error(`a\nb\u001b[31m ${"x".repeat(500)}`)));
    for (let asked = 0; asked < 2; asked++) await link.ask(ping, () => {});

    expect(told[1]).toMatch(/^away: a b \[31m x{100,120}$/);
  });

  it("pauses for a random time up to a limit that doubles with each fault, and at most 30 seconds", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (faults) => {
        const { link } = linkTo(failing);
        for (let fault = 0; fault < faults; fault++) await link.ask(ping, () => {});
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
