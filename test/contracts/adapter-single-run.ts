import { describe, expect, it } from "vitest";
import { countOf, textOf, visible, WORDS } from "./adapter-report.ts";
import {
  healthyScript,
  loopScript,
  providerScript,
  recordedTools,
  refuse,
  tailScript,
  twinScript,
} from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";
import { protocolFaults } from "./message-protocol.ts";

const BLOCKED = `${WORDS} Not run:`;

/**
 * What an adapter does in one run.
 *
 * The loop is one call again and again. A quick guard speaks at the third result and at the fourth, blocks the fifth call and
 * ends the run at the sixth.
 */
export function singleRun({ driver, unless, wireGuarded, loop, both }: AdapterUnderTest): void {
  const { abilities } = driver;

  describe.each([
    { way: "in whole answers", how: {} },
    { way: "in a stream", how: { isStreaming: true } },
  ])("on a run $way", ({ how }) => {
    const test = (title: string, run: () => Promise<void>): void =>
      "isStreaming" in how ? unless("streaming", title, run) : it(title, run);
    let run: ReturnType<typeof loop> | undefined;
    /** The run of the loop. Several tests look at the same one. */
    const looped = (): ReturnType<typeof loop> => {
      run ??= loop(how);
      return run;
    };

    if (abilities.nudge !== "none") {
      test("lets the model read the nudge in the next request, and not earlier", async () => {
        const { requests } = await looped();

        expect(requests.map((request) => textOf(request).includes(WORDS)).slice(0, 5)).toEqual([
          false,
          false,
          false,
          true,
          true,
        ]);
      });

      test("keeps the nudge in the conversation, where the model read it first", async () => {
        const { requests } = await looped();
        const first = countOf(requests[3], WORDS);

        expect(first).toBe(1);
        expect(countOf(requests[4], WORDS)).toBe(2);
        expect(JSON.stringify(requests[4]?.messages.slice(0, requests[3]?.messages.length))).toBe(
          JSON.stringify(requests[3]?.messages),
        );
      });
    }

    if (abilities.block) {
      test("does not run a blocked call, and lets the model read why", async () => {
        const { requests, executed } = await looped();

        expect(executed).toHaveLength(4);
        expect(textOf(requests[4])).not.toContain(BLOCKED);
        expect(textOf(requests[5])).toContain(BLOCKED);
      });
    }

    if (abilities.stop === "none") {
      test("says that it cannot end the run, and does what it can instead", async () => {
        const { downgrades, stops, error } = await looped();

        expect(downgrades.map(({ decided, done }) => `${decided} ${done}`)).toContain(
          abilities.block ? "stop block" : "stop nudge",
        );
        expect(stops).toEqual([]);
        expect(error).toBeUndefined();
      });
    } else {
      test("ends the run cleanly, with a reason that the host can read", async () => {
        const { requests, executed, stops, error } = await looped();

        expect(error).toBeUndefined();
        expect(requests).toHaveLength(6);
        expect(executed).toHaveLength(4);
        expect(stops).toHaveLength(1);
      });

      test("hands the end over as a value, with words for people and none of those for the model", async () => {
        const { stops, stop, answer = "" } = await looped();

        expect(stop).toEqual(stops[0]);
        expect(JSON.parse(JSON.stringify(stop))).toMatchObject({
          status: "LOOP_DETECTED",
          kind: "repeated-call",
          tool: "read_file",
          count: 4,
          callId: expect.any(String),
          explanation: expect.stringMatching(/^Stopped: the agent called `read_file` 4 times .* refused\.$/),
          message: expect.stringContaining(WORDS),
        });
        expect(answer).not.toContain(WORDS);
        expect(answer).not.toMatch(/report|any more tools/);
      });
    }

    test("keeps the message protocol in every request", async () => {
      const { requests } = await looped();

      expect(requests.map(({ messages }) => protocolFaults(messages))).toEqual(requests.map(() => []));
    });

    test("leaves a healthy run as it is, byte for byte, a failing tool included", async () => {
      const { without, withGuard } = await both(healthyScript(driver.lacks?.parallel === undefined), how);

      expect(without.requests.length).toBeGreaterThan(6);
      expect(withGuard).toEqual(without);
      expect(JSON.stringify(withGuard)).toBe(JSON.stringify(without));
    });

    test("speaks about a tool that fails again and again, and changes nothing before", async () => {
      const fails = { run: refuse };
      const { requests, executed } = await loop(how, fails);
      const bare = recordedTools(fails);
      const without = await driver.wire(bare.tools, undefined).run(loopScript(), how);

      expect(JSON.stringify(requests.slice(0, 3))).toBe(JSON.stringify(without.requests.slice(0, 3)));
      if (abilities.nudge !== "none") expect(textOf(requests[3])).toContain(WORDS);
      if (abilities.block) expect(executed).toHaveLength(4);
      // Some hosts keep an error's words from the model by default.
      const hasWords = (request: (typeof requests)[number]) => textOf(request).includes("the disk is full");
      expect(hasWords(requests[3]!)).toBe(hasWords(without.requests[3]!));
    });
  });

  // In the host's own words for a failure: "Please try again" says nothing about it.
  it("answers a tool that fails at the usual levels, as far as the host can", async () => {
    const { tools, executed } = recordedTools({ run: refuse });
    const { requests, stop } = await driver.wire(tools, {}).run(loopScript(22));

    if (abilities.nudge !== "none") expect(requests.findIndex((request) => countOf(request, WORDS) > 0)).toBe(3);
    // Two of the ten that are refused get through.
    if (abilities.block) expect(executed.length).toBeLessThanOrEqual(12);
    if (abilities.stop !== "none") expect(requests).toHaveLength(20);
    if (abilities.stop !== "none") expect(stop).toMatchObject({ status: "LOOP_DETECTED" });
  });

  if (abilities.nudge !== "none")
    it("speaks at growing distances and lets calls run where nobody says otherwise", async () => {
      const { tools, executed } = recordedTools();
      const { requests } = await driver.wire(tools, {}).run(loopScript(8));

      expect(requests.map((request) => countOf(request, WORDS))).toEqual([0, 0, 0, 1, 1, 2, 2, 2, 2]);
      expect(executed).toHaveLength(8);
    });

  unless("parallel", "takes equal calls of one answer for one round, and answers each of them", async () => {
    const { tools, executed } = recordedTools();
    const { requests } = await wireGuarded(tools).run(twinScript(2, 3));

    expect(executed).toHaveLength(6);
    expect(requests).toHaveLength(3);
    expect(requests.map((request) => countOf(request, WORDS))).toEqual([0, 0, 0]);
  });

  unless("parallel", "blocks all equal calls of one answer, and keeps the message protocol", async () => {
    const { tools, executed } = recordedTools();
    const { requests } = await wireGuarded(tools).run(twinScript(8, 2));

    if (abilities.block) expect(executed).toHaveLength(8);
    expect(requests.map(({ messages }) => protocolFaults(messages))).toEqual(requests.map(() => []));
  });

  unless("parallel", "runs no other call of the answer that ended the run, where it can end one", async () => {
    const { tools, executed } = recordedTools();
    const { requests } = await wireGuarded(tools).run(tailScript());
    const isEnded = abilities.stop !== "none";

    expect(executed.some((call) => call.startsWith("read_page"))).toBe(!isEnded);
    if (isEnded) expect(requests).toHaveLength(6);
    expect(requests.map(({ messages }) => protocolFaults(messages))).toEqual(requests.map(() => []));
  });

  unless("approval", "leaves it to the human whether a tool may run", async () => {
    const asks = { needsApproval: true };
    const bare = recordedTools(asks);
    const guarded = recordedTools(asks);
    const without = await driver.wire(bare.tools, undefined).run(loopScript());
    const withGuard = await wireGuarded(guarded.tools).run(loopScript());

    expect(without.approvals).toBeGreaterThan(0);
    expect(withGuard.approvals).toBe(without.approvals);
    expect(guarded.executed).toEqual([]);
    expect(JSON.stringify(visible(withGuard, []))).toBe(JSON.stringify(visible(without, [])));
  });

  unless("provider-executed", "sees the calls that the provider runs", async () => {
    const { tools } = recordedTools({ isProviderExecuted: true });
    const { requests } = await wireGuarded(tools).run(providerScript());

    expect(requests.some((request) => textOf(request).includes(WORDS))).toBe(true);
    expect(requests.map(({ messages }) => protocolFaults(messages))).toEqual(requests.map(() => []));
  });
}
