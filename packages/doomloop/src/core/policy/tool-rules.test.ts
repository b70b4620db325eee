import { createGuard } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionsOf, call, decisionsOf, failure, result, step, times, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import { toolLabel } from "../identity/call-identity.ts";
import type { ToolRule, ToolRules } from "./tool-rules.ts";
import { createToolRules } from "./tool-rules.ts";

/** Rules by a tool's own name: the guard asks by its label. */
function rulesFor(rules: ToolRules, onFault: (fault: unknown) => void = () => {}): (tool: string) => ToolRule {
  const ruleOf = createToolRules(rules, onFault);
  return (tool) => ruleOf(toolLabel(tool));
}

const FOREIGN = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", ""];

describe("createToolRules", () => {
  it("finds the rule of a tool and nothing for another", () => {
    const ruleOf = rulesFor({ check_job: { poll: true } });

    expect(ruleOf("check_job")).toEqual({ poll: true });
    expect(ruleOf("other")).toEqual({});
  });

  it.each(FOREIGN)("has no rule for a tool of the name %j", (name) => {
    expect(rulesFor({})(name)).toEqual({});
    expect(rulesFor({ a: { ignore: true } })(name)).toEqual({});
  });

  it.each(FOREIGN)("keeps the rule that a host has for a tool of the name %j", (name) => {
    const rules = JSON.parse(`{${JSON.stringify(name)}: {"threshold": 7}}`) as ToolRules;

    expect(rulesFor(rules)(name)).toEqual({ threshold: 7 });
  });

  it("answers any name without a fault", () => {
    const ruleOf = rulesFor({ a: { ignore: true } });
    const property = fc.property(fc.string(), (name) => {
      expect(ruleOf(name)).toEqual(name === "a" ? { ignore: true } : {});
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it("does not follow later changes of what the caller passed", () => {
    const rules: Record<string, { threshold: number }> = { a: { threshold: 3 } };
    const ruleOf = rulesFor(rules);
    rules.b = { threshold: 4 };

    expect(ruleOf("b")).toEqual({});
  });

  it.each([
    [{ a: null }, 'rules["a"]: an object is required, got null'],
    [{ a: "ignore" }, 'rules["a"]: an object is required, got "ignore"'],
    [{ a: { ingore: true } }, 'rules["a"].ingore: there is no such option; did you mean ignore?'],
    [{ a: { treshold: 2 } }, 'rules["a"].treshold: there is no such option; did you mean threshold?'],
    [{ a: { threshold: 1 } }, 'rules["a"].threshold: … is required, got 1'],
    [{ a: { threshold: 2.5 } }, 'rules["a"].threshold: … is required, got 2.5'],
    [{ a: { repeat: "sometimes" } }, 'rules["a"].repeat: "watched" or "never" is required, got sometimes'],
    [{ a: { poll: null } }, 'rules["a"].poll: true or false or an object is required, got null'],
    [{ a: { identity: "path" } }, 'rules["a"].identity: a list of strings or a function is required, got "path"'],
    [{ a: { ignore: "yes" } }, 'rules["a"].ignore: true or false or a function is required, got "yes"'],
    [{ a: { fleet: "all" } }, 'rules["a"].fleet: "shared" or "own" or "never" or a function is required, got "all"'],
    [{ a: { changes: 1 } }, 'rules["a"].changes: true or false is required, got 1'],
  ])("refuses %j", (rules, message) => {
    expect(() => createGuard({ rules: rules as unknown as ToolRules })).toThrow(refusal(message));
  });

  it.each([[{ patienceMs: -1 }], [{}], [{ patienceMs: "long" }], [{ patienceMs: Number.NaN }]])(
    "refuses to poll with %j",
    (poll) => {
      expect(() => createGuard({ rules: { a: { poll } } as unknown as ToolRules })).toThrow(
        expect.objectContaining({ code: "invalid-option", message: expect.stringMatching(/^rules\["a"\]\.poll/) }),
      );
    },
  );

  it("takes a function that throws for one that is not there, and reports it", () => {
    const faults: unknown[] = [];
    const fail = () => {
      throw new Error("a foreign fault");
    };
    const { ignore, identity } = rulesFor(
      { a: { ignore: fail, identity: fail } },
      (fault) => void faults.push(fault),
    )("a");

    expect((ignore as (args: unknown) => boolean)({})).toBe(false);
    expect((identity as (args: unknown) => unknown)({})).toBeUndefined();
    expect(faults).toHaveLength(2);
  });
});

describe("a tool's rule", () => {
  /** Long enough to be more than one value, which may be asked for again. */
  const PAGE = "What stands on the page, at some length, and does not change. ".repeat(2);
  const look = step("look_up", { key: "x" }, PAGE);

  it("ignore: lets a tool repeat, and interrupts nothing that is counted", () => {
    const rules = { look_up: { ignore: true } };
    const read = step("get_record", { id: 7 }, PAGE);

    expect(actionsOf(times(20, look), { rules })).toEqual([]);
    expect(actionsOf(times(3, [...read, ...look]), { rules })).toEqual(["nudge"]);
  });

  it("ignore: may go by the arguments", () => {
    const rules = { look_up: { ignore: (args: unknown) => (args as { key: string }).key === "x" } };

    expect(actionsOf(times(20, look), { rules })).toEqual([]);
    expect(actionsOf(times(3, step("look_up", { key: "y" }, PAGE)), { rules })).toEqual(["nudge"]);
  });

  it("poll: measures patience in waiting, not in calls", () => {
    expect(actionsOf(times(20, look), { rules: { look_up: { poll: { patienceMs: 600_000 } } } })).toEqual([]);
    expect(actionsOf(times(20, look), { rules: { look_up: { poll: { patienceMs: 30_000 } } } })[0]).toBe("nudge");
  });

  it("threshold: takes the place of the detectors' own", () => {
    expect(actionsOf(times(2, look), { rules: { look_up: { threshold: 2 } } })).toEqual(["nudge"]);
    expect(actionsOf(times(9, look), { rules: { look_up: { threshold: 10 } } })).toEqual([]);
  });

  it("changes: makes a change of a look, and a look of a change", () => {
    const between = (tool: string) => [1, 2, 3, 4, 5].flatMap((at) => [...look, ...step(tool, { at }, "ok")]);
    const told = (tool: string, changes: boolean) => actionsOf(between(tool), { rules: { [tool]: { changes } } });

    expect(told("look_at", true)).toEqual([]);
    expect(told("look_at", false)).toContain("nudge");
  });

  it("identity: makes calls equal that agree in what it names", () => {
    const asks = [1, 2, 3, 4].flatMap((at) => step("look_up", { key: "x", trace: `t${at}` }, PAGE));

    expect(decisionsOf(asks, { rules: { look_up: { identity: ["key"], threshold: 3 } } })[0]).toMatchObject({
      at: 5,
      finding: { kind: "repeated-call", count: 3 },
    });
  });

  it("identity: may use another guard while it is asked", () => {
    const inner = createGuard();
    const keyOf = (args: unknown) => (args as { key: string }).key;
    const nested = (args: unknown) => {
      inner.observe(call("look_up", args));
      return keyOf(args);
    };
    const asks = [1, 2, 3, 4].flatMap((at) =>
      ["find_a", "find_b"].flatMap((tool) => step(tool, { key: "x", at }, PAGE)),
    );
    const said = (identity: (args: unknown) => unknown) =>
      decisionsOf(asks, { rules: { find_a: { identity }, find_b: { identity } } });

    expect(said(keyOf)).not.toEqual([]);
    expect(said(nested)).toEqual(said(keyOf));
  });

  describe("repeat: never", () => {
    const options = { rules: { deploy: { repeat: "never" as const } } };
    const deploy = step("deploy", { to: "production" }, "deployed");

    it("refuses an equal call after a success, at once", () => {
      expect(decisionsOf([...deploy, call("deploy", { to: "production" })], options)).toMatchObject([
        { at: 2, action: "block", finding: { kind: "repeated-call", count: 2, tools: ["deploy"] } },
      ]);
    });

    it("lets a call be tried again that failed, and another call be made", () => {
      const failed = [call("deploy", { to: "production" }), failure("timed out")];

      expect(actionsOf([...failed, call("deploy", { to: "production" })], options)).toEqual([]);
      expect(actionsOf([...deploy, call("deploy", { to: "staging" })], options)).toEqual([]);
    });

    it("refuses it every time, and after a word of the user too", () => {
      const again = [call("deploy", { to: "production" }), result("refused", { synthetic: true })];

      const actions = actionsOf([...deploy, ...times(3, again), user(), ...again], options);

      expect(actions.filter((action) => action === "block")).toHaveLength(4);
    });
  });
});
