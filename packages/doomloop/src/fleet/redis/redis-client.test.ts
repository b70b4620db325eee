import { describe, expect, it } from "vitest";
import { commandsOf } from "./redis-client.ts";

const group = [["XRANGE", "key", "-", "+"] as const, ["TIME"] as const];

/** The part of a node-redis client that is used, and the commands it received. */
function nodeRedis(kind: object = {}) {
  const sent: unknown[][] = [];
  const sendCommand = async (...words: unknown[]): Promise<string> => {
    sent.push(words);
    if (sent.length === 2) throw new Error("NOPERM");
    return "reply";
  };
  return { sent, client: { isOpen: true, sendCommand, on() {}, ...kind } };
}

describe("the commands of a client", () => {
  it.each([
    ["a server", {}, [[["XRANGE", "key", "-", "+"]], [["TIME"]]]],
    [
      "a Sentinel",
      { getSentinelNode() {} },
      [
        [false, ["XRANGE", "key", "-", "+"]],
        [false, ["TIME"]],
      ],
    ],
    // A command without a key goes to the server of the keys that it is sent with: TIME is that server's time.
    [
      "a Cluster",
      { masters: [] },
      [
        ["key", false, ["XRANGE", "key", "-", "+"]],
        ["key", false, ["TIME"]],
      ],
    ],
  ])("are sent through node-redis in the form that %s takes", async (_, kind, expected) => {
    const { client, sent } = nodeRedis(kind);

    expect(await commandsOf(client).send(group)).toEqual(["reply", new Error("NOPERM")]);
    expect(sent).toEqual(expected);
  });

  it("are sent through ioredis in one pipeline", async () => {
    const sent: unknown[] = [];
    const pipeline = (commands: unknown[][]) => {
      sent.push(commands);
      return { exec: async () => [[null, "reply"] as const, [new Error("NOPERM"), undefined] as const] };
    };

    expect(await commandsOf({ status: "ready", pipeline, on() {} }).send(group)).toEqual([
      "reply",
      new Error("NOPERM"),
    ]);
    expect(sent).toEqual([
      [
        ["call", "xrange", "key", "-", "+"],
        ["call", "time"],
      ],
    ]);
  });
});
