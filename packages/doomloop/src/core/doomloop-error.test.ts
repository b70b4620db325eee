import { DoomloopError, isDoomloopError } from "doomloop";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/refusal.ts";
import { requireInteger } from "./doomloop-error.ts";

describe("DoomloopError", () => {
  it("is an error with a name, a code and a cause", () => {
    const cause = new Error("below");
    const error = new DoomloopError("invalid-option", "where: what is required, got what", { cause });

    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "DoomloopError", code: "invalid-option", cause });
    expect(String(error)).toBe("DoomloopError: where: what is required, got what");
  });
});

describe("isDoomloopError", () => {
  it("knows one, also of another copy of the library", () => {
    const foreign = Object.assign(new Error("x"), { [Symbol.for("doomloop.error")]: true });

    expect(isDoomloopError(new DoomloopError("invalid-trace", "x"))).toBe(true);
    expect(isDoomloopError(foreign)).toBe(true);
  });

  it.each([undefined, null, "DoomloopError", 7, {}, new Error("x"), { name: "DoomloopError" }])(
    "does not take %s for one",
    (value) => {
      expect(isDoomloopError(value)).toBe(false);
    },
  );
});

describe("requireInteger", () => {
  it.each([
    [2, 2, undefined],
    [9, 2, 9],
    [Number.MAX_SAFE_INTEGER, 0, undefined],
  ])("accepts %d from %d to %s", (value, minimum, maximum) => {
    expect(() => requireInteger("where", value, minimum, maximum)).not.toThrow();
  });

  it.each<[unknown]>([[1], [2.5], [Number.NaN], [Number.POSITIVE_INFINITY], ["3"], [null], [Symbol("x")]])(
    "refuses %s",
    (value) => {
      expect(() => requireInteger("where", value as number, 2)).toThrow(
        refusal(`where: an integer … is required, got ${String(value)}`),
      );
    },
  );

  it("names the end that was passed", () => {
    expect(() => requireInteger("where", 33, 2, 32)).toThrow(refusal("where: an integer … 32 is required, got 33"));
    expect(() => requireInteger("where", 1, 2, 32)).toThrow(refusal("where: an integer …2… required, got 1"));
  });
});
