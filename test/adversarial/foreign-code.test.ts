import { createGuard } from "doomloop";
import { describe, expect, it } from "vitest";
import { call, result } from "../builders.ts";

describe("foreign code", () => {
  /** Values that tell when something of theirs is run. */
  const traps = (told: string[]): [string, unknown][] => {
    const tell = (name: string) => () => {
      told.push(name);
      return undefined as never;
    };
    const handler = Object.fromEntries(
      Object.getOwnPropertyNames(Reflect).map((trap) => [trap, tell(`trap ${trap}`)]),
    ) as ProxyHandler<object>;
    const evilArray = [1, 2];
    Object.defineProperty(evilArray, 0, { get: tell("getter of an item"), enumerable: true });
    const evilMap = new Map([[1, 2]]);
    Object.assign(evilMap, {
      forEach: tell("own forEach"),
      entries: tell("own entries"),
      [Symbol.iterator]: tell("own iterator"),
    });
    Object.defineProperty(evilMap, "size", { get: tell("own size") });
    const evilSet = new Set([1]);
    Object.assign(evilSet, {
      forEach: tell("own forEach"),
      values: tell("own values"),
      [Symbol.iterator]: tell("own iterator"),
    });
    const evilDate = new Date(5);
    Object.assign(evilDate, {
      getTime: tell("own getTime"),
      toISOString: tell("own toISOString"),
      valueOf: tell("own valueOf"),
    });
    const evilError = new Error("x");
    Object.defineProperty(evilError, "message", { get: tell("message") });
    Object.defineProperty(evilError, "stack", { get: tell("stack") });
    return [
      ["a getter", Object.defineProperty({}, "a", { get: tell("getter"), enumerable: true })],
      ["a getter of a known field", Object.defineProperty({}, "path", { get: tell("getter"), enumerable: true })],
      ["a getter of a command", Object.defineProperty({}, "command", { get: tell("getter"), enumerable: true })],
      ["a getter of isError", Object.defineProperty({}, "isError", { get: tell("getter"), enumerable: true })],
      ["a getter of toJSON", Object.defineProperty({}, "toJSON", { get: tell("getter") })],
      ["toString", { toString: tell("toString"), valueOf: tell("valueOf"), [Symbol.toPrimitive]: tell("toPrimitive") }],
      ["an iterator", { [Symbol.iterator]: tell("iterator"), length: 3 }],
      ["a tag", Object.defineProperty({}, Symbol.toStringTag, { get: tell("tag") })],
      // biome-ignore lint/suspicious/noThenProperty: what an await would run
      ["a promise of its own making", { then: tell("then") }],
      ["a proxy", new Proxy({}, handler)],
      ["a proxy of a list", new Proxy([], handler)],
      ["a proxy of a function", new Proxy(() => 1, handler)],
      ["a proxy in a list", [new Proxy({}, handler)]],
      ["an object whose prototype is a proxy", Object.create(new Proxy({}, handler))],
      ["a list with a getter", evilArray],
      ["a map with methods of its own", evilMap],
      ["a set with methods of its own", evilSet],
      ["a date with methods of its own", evilDate],
      ["an error with getters", evilError],
      [
        "an instance of a class that says it is something else",
        new (class {
          static [Symbol.hasInstance] = tell("hasInstance");
          get a() {
            return tell("class getter")();
          }
        })(),
      ],
    ];
  };
  const names = traps([]).map(([name]) => name);

  it.each(names)("is never run: %s", (name) => {
    const told: string[] = [];
    const value = traps(told).find(([other]) => other === name)![1];
    const guard = createGuard({ rules: { declared: { identity: ["a", "path"] }, deploy: { repeat: "never" } } });
    for (let at = 0; at < 4; at++) {
      for (const tool of [
        "get_thing",
        "bash",
        "edit_file",
        "python",
        "sql",
        "wait",
        "browser_click",
        "declared",
        "deploy",
      ]) {
        guard.observe(call(tool, value));
        guard.observe(result(value));
        guard.observe(
          call(tool, { command: value, path: value, code: value, a: value, old_string: value, new_string: value }),
        );
        guard.observe(result({ content: [value], isError: value }));
        guard.observe(call(tool, [value]));
        guard.observe(result([value], { error: value as never, digest: value as never, length: value as never }));
      }
      guard.observe({ type: "state", key: "k", value });
      guard.observe({ type: "state", key: value as never, value });
      guard.observe({ type: "user", text: value as never });
      guard.observe({ type: "text", text: value as never });
      guard.peek(call("get_thing", value));
    }
    guard.snapshot();

    expect(told).toEqual([]);
    expect(guard.stats().faults).toBe(0);
  });

  it.each(names)("is never run where an id or a time is expected: %s", (name) => {
    const told: string[] = [];
    const value = traps(told).find(([other]) => other === name)![1];
    const guard = createGuard();
    for (let at = 0; at < 4; at++) {
      guard.observe(call("wait", {}, { id: value as never, at: value as never, readOnly: value as never }));
      guard.observe(result("x", { id: value as never, at: value as never, synthetic: value as never }));
      guard.observe(call("get_thing", {}, { id: value as never }));
    }
    guard.snapshot();

    expect(told).toEqual([]);
    expect(guard.stats().faults).toBe(0);
  });

  it("leaves arguments as they were, frozen or not", () => {
    const args = Object.freeze({ b: 1, a: Object.freeze([3, 1, 2]) });
    const guard = createGuard();
    guard.observe(call("get_thing", args));
    guard.observe(result(args));

    expect(Object.keys(args)).toEqual(["b", "a"]);
    expect(guard.stats().faults).toBe(0);
  });
});
