import { describe, expect, it } from "vitest";
import { createGuard } from "./index.ts";

const READ = { tool: "read_file", args: { path: "src/app.ts" } };

describe("guard.call", () => {
  it("runs a tool, adds words, refuses, and ends the run", async () => {
    const guard = createGuard();
    let runs = 0;
    const outcomes = [];
    for (let at = 1; at <= 40; at++) {
      const outcome = await guard.call({ id: `call-${at}`, ...READ }, () => {
        runs++;
        return "start();";
      });
      outcomes.push(outcome);
      if (outcome.stop !== undefined) break;
    }

    expect(outcomes[0]).toEqual({ output: "start();", message: undefined, stop: undefined });
    expect(outcomes[2]).toMatchObject({ output: "start();", message: expect.stringMatching(/^\[doomloop\]/) });
    expect(outcomes[10]).toMatchObject({ output: undefined, message: expect.stringContaining("Not run:") });
    expect(runs).toBeLessThan(outcomes.length);
    expect(outcomes.at(-1)).toMatchObject({
      output: undefined,
      stop: { status: "LOOP_DETECTED", tool: "read_file", callId: `call-${outcomes.length}` },
    });
  });

  it("tells of a field that is called something else", async () => {
    const faults: string[] = [];
    const guard = createGuard({ onFault: (fault) => void faults.push(String(fault)) });
    await guard.call({ tool: "read_file", input: { path: "a.ts" } } as never, () => "text");

    expect(faults).toEqual([expect.stringContaining('did you mean "args"?')]);
  });

  it("runs the tool of a call that cannot be read, and tells of it", async () => {
    const faults: string[] = [];
    const guard = createGuard({ onFault: (fault) => void faults.push(String(fault)) });
    const { proxy, revoke } = Proxy.revocable({} as typeof READ, {});
    revoke();

    expect((await guard.call(proxy, () => "text")).output).toBe("text");
    expect(faults).toEqual([expect.stringContaining("tool must be a string")]);
    expect([guard.observe(proxy as never).action, guard.peek(proxy as never).action]).toEqual(["continue", "continue"]);
  });

  it("passes on what the tool returns, whatever it is, and waits for it", async () => {
    const value = { rows: [1, 2] };

    expect((await createGuard().call(READ, async () => value)).output).toBe(value);
    expect((await createGuard().call(READ, () => undefined)).output).toBeUndefined();
  });

  it("catches what the tool throws, and counts it as a failure", async () => {
    const guard = createGuard();
    const fault = new Error("ENOENT: no such file");
    const fail = () => guard.call(READ, () => Promise.reject(fault));

    expect(await fail()).toEqual({
      output: "Error: ENOENT: no such file",
      error: fault,
      message: undefined,
      stop: undefined,
    });
    await fail();
    expect((await fail()).message).toContain("[doomloop]");
    expect((await guard.call(READ, () => Promise.reject({ code: 42 }))).output).toBe('{"code":42}');
    const unprintable = Object.create(null) as object;
    expect((await guard.call(READ, () => Promise.reject(unprintable))).output).toBe("The tool failed.");
  });

  it("tells calls that run side by side apart, also without ids", async () => {
    const guard = createGuard();
    const file = (path: string, ms: number) =>
      guard.call({ tool: "read_file", args: { path } }, async () => {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return `the contents of ${path}, which nobody else has`;
      });
    for (let at = 0; at < 10; at++) {
      guard.observe({ type: "round" });
      const both = await Promise.all([file(`${at}-a.ts`, 5), file(`${at}-b.ts`, 1)]);
      expect(both.map(({ message }) => message)).toEqual([undefined, undefined]);
    }
    expect(guard.stats().checks).toBe(20);
  });

  it("goes through a guard that somebody has wrapped", async () => {
    const guard = createGuard();
    const seen: string[] = [];
    const wrapped: typeof guard = {
      ...guard,
      observe(event) {
        seen.push(event.type);
        return guard.observe(event);
      },
    };
    await wrapped.call(READ, () => "start();");

    expect(seen).toEqual(["call", "result"]);
  });
});
