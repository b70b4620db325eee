import { afterEach, expect, it } from "vitest";
import { createMemoryStore } from "../../../../../test/contracts/fleet-memory-store.ts";
import { createConversations } from "../guardrails/conversations.ts";
import { createHostFleet, type HostFleet, type HostFleetNote } from "./host-fleet.ts";
import { readPolicies } from "./policies.ts";
import { createRuns } from "./runs.ts";

const key = Buffer.from("a key for all hosts of the tests");
const open: HostFleet[] = [];
afterEach(() => Promise.all(open.splice(0).map((fleet) => fleet.close())));

function newHost(store = createMemoryStore()) {
  const notes: HostFleetNote[] = [];
  const onNote = (note: HostFleetNote): void => void notes.push(note);
  const fleet = createHostFleet({ store, key, tenant: "host", heartbeatMs: 100, onNote });
  open.push(fleet);
  const onFault = (fault: unknown): void => {
    throw fault;
  };
  const runs = createRuns({ policies: readPolicies(), join: fleet.join, now: Date.now, onFault });
  const conversations = createConversations({ policy: {}, now: Date.now, onFault });
  let calls = 0;
  const fail = async (run: string) => {
    const id = `${calls++}`;
    const events = [
      { type: "call", id, tool: "fetch", args: { url: "https://docs.example/gone" } },
      { type: "result", id, output: "404 Not Found", error: true },
    ];
    return (await runs.observe(run, { events } as never)).decisions as readonly { action: string; finding?: object }[];
  };
  return { fleet, notes, fail, conversations };
}

/** A conversation as a gateway sends it, with the same call again and again. */
const looping = [1, 2, 3, 4, 5, 6].flatMap((at) => [
  {
    role: "assistant",
    tool_calls: [{ id: `${at}`, type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } }],
  },
  { role: "tool", tool_call_id: `${at}`, content: "the same text as before" },
]);
const say = (item: object, words: string): object => ({ ...item, said: words });

it("makes each run a worker of its own", async () => {
  const { fail, fleet } = newHost();
  for (let run = 0; run < 10; run++) await fail(`run-${run}`);
  const [told] = await fail("another");

  expect(told).toMatchObject({ action: "nudge", finding: { kind: "fleet", evidence: { workers: 10 } } });
  expect(fleet.metrics()).toContain("doomloop_fleet_dead_ends 1\n");
});

it("tells its operator once of a store that does not answer, that it is back, and of a dead end", async () => {
  let isAway = true;
  const open = createMemoryStore();
  const { fail, fleet, notes } = newHost((space) => {
    const store = open(space);
    return { ...store, suspects: () => (isAway ? Promise.reject(new Error("away")) : store.suspects()) };
  });
  await expect.poll(() => fleet.metrics(), { timeout: 20_000 }).toContain('_state="degraded"} 1');
  isAway = false;
  await expect.poll(() => notes, { timeout: 20_000 }).toHaveLength(2);
  await fail("run");

  expect(notes).toEqual([
    { event: "fleet", message: expect.stringContaining("away") },
    { event: "fleet", message: "the store answers again" },
  ]);
  await expect.poll(() => fleet.metrics(), { timeout: 20_000 }).toMatch(/_reports_total\{.*"delivered"\} 1/);
});

it("reports nothing for conversations of gateways", async () => {
  const { conversations, fleet } = newHost();
  const { items } = await conversations.judge(looping, { account: [] }, say);

  expect(JSON.stringify(items)).toContain("[doomloop]");
  expect(fleet.metrics()).not.toContain("doomloop_fleet_reports_total{");
});
