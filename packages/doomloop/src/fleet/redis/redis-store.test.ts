import { createRedisFleet } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { report, tell } from "../../../../../test/contracts/fleet.ts";
import type { FleetNotice } from "../process/store-fleet-options.ts";
import { isStoreRefusal } from "../store.ts";
import type { NodeRedisClient } from "./redis-client.ts";
import { redisStore } from "./redis-store.ts";

const space = { tenant: "acme", windowMs: 300_000 };
const name = "abcdefghijklmnopqrstuv";

/** A client whose server answers as the test says, and the commands that it was sent. */
function clientThat(answer: (words: readonly string[]) => unknown) {
  const sent: string[] = [];
  const client: NodeRedisClient = {
    isOpen: true,
    async sendCommand(...given: never[]) {
      const words = (given as unknown as readonly (readonly string[])[])[0] ?? [];
      sent.push(words.join(" "));
      const reply = answer(words);
      if (reply instanceof Error) throw reply;
      return reply;
    },
    on: () => client,
  };
  return { client, sent };
}

/** What a server says to commands that only read. */
function readAnswer([command]: readonly string[]): unknown {
  return { MGET: [null], GETRANGE: "", STRLEN: 0, TIME: ["1700000000", "0"] }[command!] ?? 0;
}

/** A server before Redis 7 does not know the options of PEXPIRE. */
const oldServer = (words: readonly string[]) =>
  words[0] === "PEXPIRE" && words.length > 3
    ? new Error("ERR wrong number of arguments for 'pexpire' command")
    : readAnswer(words);

describe("a server before Redis 7", () => {
  it("is reported once, is asked for the switch, and nothing is written to it", async () => {
    const { client, sent } = clientThat(oldServer);
    const notices: FleetNotice[] = [];
    const fleet = createRedisFleet({ client, key: "a key of sixteen bytes", onNotice: (each) => notices.push(each) });
    const member = fleet.join({ worker: "one" });
    for (const id of [0, 1, 2]) {
      tell(member, report(id));
      await fleet.flush();
    }

    expect(notices).toEqual([{ kind: "reports-refused", reason: "Redis 7 or later, or Valkey, is required" }]);
    const writes = sent.filter((words) => /^(?:PFADD|APPEND|SETNX|INCR|UNLINK)/.test(words));
    expect([writes, fleet.stats()]).toMatchObject([[], { store: "connected", delivered: 0, lost: 3 }]);
    await fleet.close();
  });

  it("is used once it was replaced by a newer one", async () => {
    let answer = oldServer;
    const { client, sent } = clientThat((words) => answer(words));
    const store = redisStore(client)(space);
    await expect(store.count({ name, calls: ["1"], witness: "w" })).rejects.toSatisfy(isStoreRefusal);
    answer = readAnswer;
    await store.count({ name, calls: ["1"], witness: "w" });

    expect(sent).toContain(`PFADD dl3:{acme:${name}}:c 1`);
  });
});

describe("a store in Redis", () => {
  it("reads sizes before values, and never more than a bounded part", async () => {
    const { client, sent } = clientThat((words) => (words[0] === "STRLEN" ? 500_000_000 : readAnswer(words)));
    const answer = await redisStore(client)(space).beat({ cursor: undefined, agreement: undefined });
    const ranges = sent.filter((words) => words.startsWith("GETRANGE")).map((words) => words.split(" ").map(Number));

    expect(answer).toMatchObject({ isFlooded: true, isMore: true, isComplete: false });
    for (const [, , first = 0, last = 0] of ranges) expect(last - first).toBeLessThan(16_384);
  });

  it("never puts off the end of a key", async () => {
    const { client, sent } = clientThat(readAnswer);
    const store = redisStore(client)(space);
    await store.count({ name, calls: ["1"], witness: "w" });
    await store.announce([{ name, tool: "t", calls: 1, workers: 1, lastsMs: 1, isConfirmed: true }]);
    await store.permit({ runs: ["a"], places: 1 });
    const ends = sent.filter((words) => /EXPIRE/.test(words));

    expect(ends.length).toBeGreaterThan(5);
    expect(ends.filter((words) => !words.endsWith(" LT"))).toEqual([]);
  });

  it("tells a refusal of a part from a server that does not answer", async () => {
    const refusing = clientThat((words) => (words[0] === "PFADD" ? new Error("OOM no memory") : readAnswer(words)));
    const away = clientThat(() => new Error("LOADING"));
    const ask = (client: NodeRedisClient) => redisStore(client)(space).count({ name, calls: ["1"], witness: "w" });

    await expect(ask(refusing.client)).rejects.toSatisfy(isStoreRefusal);
    await expect(ask(away.client)).rejects.toSatisfy((fault) => !isStoreRefusal(fault));
  });
});
