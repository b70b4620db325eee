import { describe, expect, it } from "vitest";
import { createBreaker } from "./breaker.ts";

function breakerAt(random = 1) {
  const clock = { at: 0 };
  const breaker = createBreaker({ failures: 3, maxProbeMs: 500, now: () => clock.at, random: () => random });
  const fail = (times: number): void => {
    for (let at = 0; at < times; at++) breaker.failed();
  };
  return { clock, breaker, fail };
}

describe("a breaker", () => {
  it("opens at the third failure in a row, and not before", () => {
    const { breaker, fail } = breakerAt();
    fail(2);
    breaker.succeeded();
    fail(2);
    expect([breaker.state(), breaker.mayTry()]).toEqual(["closed", true]);

    fail(1);
    expect([breaker.state(), breaker.mayTry(), breaker.dueInMs()]).toEqual(["open", false, 100]);
  });

  it("lets one try after the pause, and closes when that succeeds", () => {
    const { clock, breaker, fail } = breakerAt();
    fail(3);
    clock.at = 100;
    expect([breaker.mayTry(), breaker.mayTry(), breaker.state()]).toEqual([true, false, "half-open"]);

    breaker.succeeded();
    expect([breaker.state(), breaker.mayTry()]).toEqual(["closed", true]);
  });

  it("pauses twice as long after each trial that fails, up to its limit", () => {
    const { clock, breaker, fail } = breakerAt();
    fail(3);
    const pauses = [1, 2, 3, 4, 5].map(() => {
      const pause = breaker.dueInMs();
      clock.at += pause;
      expect(breaker.mayTry()).toBe(true);
      fail(1);
      return pause;
    });

    expect(pauses).toEqual([100, 200, 400, 500, 500]);
  });

  it("spreads its pauses over half of their length", () => {
    const { breaker, fail } = breakerAt(0);
    fail(3);

    expect(breaker.dueInMs()).toBe(50);
  });

  it("is not kept open by calls that were under way when it opened", () => {
    const { clock, breaker, fail } = breakerAt();
    fail(8);
    clock.at = 100;

    expect(breaker.mayTry()).toBe(true);
  });
});
