import { describe, expect, it } from "vitest";
import { readPolicies } from "./policies.ts";

describe("without a configuration", () => {
  const policies = readPolicies();

  it("each preset is a policy, and balanced is the usual one", () => {
    expect(policies.usual).toBe("balanced");
    expect(policies.optionsFor(undefined, undefined)).toEqual({});
    expect(policies.optionsFor("shadow", undefined)).toEqual({ preset: "shadow" });
  });

  it("clients may set the options of their own runs", () => {
    const own = { rules: { wait: { poll: true } }, counts: { repeats: 3, within: 20 } };

    expect(policies.optionsFor(undefined, own)).toEqual(own);
  });

  it.each([
    ["a policy that is not there", "strict", undefined, "known: balanced"],
    ["an option that only code can set", undefined, { snapshot: {} }, "options: snapshot: only code can set it"],
    ["an option with a hostile name", undefined, { "\x1b]0;": 1 }, "options: \\u{1b}]0;: there is no such option"],
    ["a rule that makes no sense", undefined, { rules: { wait: { poll: "yes" } } }, "poll"],
    ["a preset that is not there", undefined, { preset: "strict" }, "preset"],
    [
      "too many tools",
      undefined,
      { rules: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`t${at}`, {}])) },
      "at most 256",
    ],
    [
      "a threshold that is none",
      undefined,
      { rules: { t: { threshold: 0 } } },
      'options: rules["t"].threshold: an integer',
    ],
    [
      "no patience",
      undefined,
      { rules: { t: { poll: { patienceMs: -1 } } } },
      'options: rules["t"].poll.patienceMs: a number',
    ],
    ["text that moves the cursor", undefined, { preset: "\x1b[31m\x07" }, "got \\u{1b}[31m\\u{7}"],
    ["text that runs backwards", undefined, { rules: { "\u202e\x85": { polls: 1 } } }, 'rules["\\u{202e}\\u{85}"]'],
    ["long names", undefined, { rules: { wait: { identity: ["x".repeat(8_192)] } } }, "at most 8192 characters"],
  ])("clients may not ask for %s", (_, policy, own, words) => {
    expect(() => policies.optionsFor(policy, own)).toThrow(words);
  });
});

describe("with a configuration", () => {
  const policies = readPolicies({
    usual: "team",
    policies: { careful: { preset: "conservative" }, team: { rules: { deploy: { repeat: "never" } } } },
  });

  it("clients choose among its policies", () => {
    expect(policies.usual).toBe("team");
    expect(policies.optionsFor("careful", undefined)).toEqual({ preset: "conservative" });
    expect(() => policies.optionsFor("balanced", undefined)).toThrow("known: careful, team");
  });

  it("what a policy says holds, and clients may set the rest", () => {
    const rules = { deploy: { ignore: true }, wait: { poll: true } };

    expect(policies.optionsFor("careful", { preset: "shadow", rules })).toEqual({ preset: "conservative", rules });
    expect(policies.optionsFor("team", { rules })).toEqual({
      rules: { deploy: { repeat: "never" }, wait: { poll: true } },
    });
    expect(() => policies.optionsFor("team", { rulez: {} })).toThrow("did you mean rules?");
  });

  it.each([
    ["no object", 7, "an object is required"],
    ["a misspelt key", { policy: { a: {} } }, "policy is not known"],
    ["no policies", { policies: {} }, "at least one"],
    ["a usual one that is not there", { policies: { a: {} }, usual: "b" }, 'no policy is called "b"'],
    ["a usual one that is no name", { policies: { a: {} }, usual: { toString: 1 } }, "usual: no policy is called"],
    ["an option that is misspelt", { policies: { a: { lader: [] } } }, "policies: a: lader: there is no such option"],
    ["a rule that makes no sense", { policies: { a: { rules: { t: { threshold: 1 } } } } }, 'rules["t"].threshold'],
    ["a function's place", { policies: { a: { onDecision: 1 } } }, "onDecision: only code can set it"],
    ["no options", { policies: { a: [] } }, "policies: a: options: an object is required"],
  ])("is refused with %s", (_, configuration, words) => {
    expect(() => readPolicies(configuration)).toThrow(words);
  });
});
