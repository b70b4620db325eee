import { describe, expect, it } from "vitest";
import { standInFor } from "./stand-in.ts";

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

describe("a stand-in", () => {
  it("does what the object does, private fields included", () => {
    const counter = new Counter();
    const { object } = standInFor(counter);
    counter.step = 2;

    expect(object.add()).toBe(2);
    expect([object.count, object.step]).toEqual([2, 2]);
    expect(object).toBeInstanceOf(Counter);
    expect(object.add).toBe(object.add);
    expect(object.constructor).toBe(Counter);
  });

  it("has what was replaced, for readers and for a spread, and leaves the object alone", () => {
    const counter = new Counter();
    const { object, replace } = standInFor(counter);
    replace("add", () => 42);
    object.step = 7;

    expect(object.add()).toBe(42);
    expect({ ...object }).toEqual({ step: 7, add: object.add });
    expect([counter.step, counter.add()]).toEqual([1, 1]);
  });

  it("stands in for a frozen object, and can be frozen itself", () => {
    const { object, replace } = standInFor(Object.freeze({ name: "a", run: () => 1 }));
    replace("run", () => 2);
    Object.freeze(object);
    replace("extra", 3);

    expect(object.run()).toBe(2);
    expect([object.name, (object as { extra?: number }).extra]).toEqual(["a", 3]);
  });

  it("gives a function in a field or from a getter as it is: it may be a value with fields of its own", () => {
    const schema = Object.assign(() => true, { version: 1 });
    const inField = { schema };
    const behindGetter = new (class {
      get schema() {
        return schema;
      }
    })();

    expect([standInFor(inField).object.schema, standInFor(behindGetter).object.schema]).toEqual([schema, schema]);
    expect(standInFor(behindGetter).object.schema).toBe(schema);
  });
});
