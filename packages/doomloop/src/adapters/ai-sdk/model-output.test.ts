import { describe, expect, it } from "vitest";
import { overridable } from "./model-output.ts";

class Counter {
  #count = 0;
  step = 1;
  get count(): number {
    return this.#count;
  }
  add(): number {
    this.#count += this.step;
    return this.#count;
  }
}

describe("an overridable copy", () => {
  it("behaves like the object, private fields included", () => {
    const counter = new Counter();
    const { object } = overridable(counter);
    counter.step = 2;

    expect(object.add()).toBe(2);
    expect([object.count, object.step]).toEqual([2, 2]);
    expect(object).toBeInstanceOf(Counter);
    expect(object.add).toBe(object.add);
    expect(object.constructor).toBe(Counter);
  });

  it("has the overrides, also in a spread, and does not change the object", () => {
    const counter = new Counter();
    const { object, override } = overridable(counter);
    override("add", () => 42);
    object.step = 7;

    expect(object.add()).toBe(42);
    expect({ ...object }).toEqual({ step: 7, add: object.add });
    expect([counter.step, counter.add()]).toEqual([1, 1]);
  });

  it("can copy a frozen object, and can be frozen itself", () => {
    const { object, override } = overridable(Object.freeze({ name: "a", run: () => 1 }));
    override("run", () => 2);
    Object.freeze(object);
    override("extra", 3);

    expect(object.run()).toBe(2);
    expect([object.name, (object as { extra?: number }).extra]).toEqual(["a", 3]);
  });

  it("returns a function in a field or from a getter unchanged, because it may be a value with its own fields", () => {
    const schema = Object.assign(() => true, { version: 1 });
    const inField = { schema };
    const behindGetter = new (class {
      get schema() {
        return schema;
      }
    })();

    expect([overridable(inField).object.schema, overridable(behindGetter).object.schema]).toEqual([schema, schema]);
    expect(overridable(behindGetter).object.schema).toBe(schema);
  });
});
