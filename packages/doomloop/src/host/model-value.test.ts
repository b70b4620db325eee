import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { modelValue } from "./model-value.ts";

class Decimal {
  readonly #digits: string;
  constructor(digits: string) {
    this.#digits = digits;
  }
  toJSON(): string {
    return this.#digits;
  }
}

class User {
  readonly id = 7;
  readonly balance = new Decimal("5.10");
}

describe("modelValue", () => {
  it.each([
    { title: "an instance of a class", value: new User(), read: { id: 7, balance: "5.10" } },
    { title: "an instance in plain data", value: [{ price: new Decimal("5.10") }], read: [{ price: "5.10" }] },
    { title: "a URL", value: { url: new URL("https://example.com/a") }, read: { url: "https://example.com/a" } },
    { title: "headers", value: { status: 404, headers: new Headers({ a: "b" }) }, read: { status: 404, headers: {} } },
    { title: "a getter", value: Object.defineProperty({}, "a", { get: () => 1, enumerable: true }), read: { a: 1 } },
    { title: "a method beside data", value: { id: 7, save: () => undefined }, read: { id: 7 } },
    { title: "an object with its own toJSON", value: { toJSON: () => "short" }, read: "short" },
  ])("returns $title as the model reads it", ({ value, read }) => {
    expect(modelValue(value)).toEqual(read);
    expect(Object.getPrototypeOf(Object(modelValue(value)))).toBe(Object.getPrototypeOf(Object(read)));
  });

  it.each([
    { title: "text", value: "nothing found" },
    { title: "nothing", value: undefined },
    { title: "plain data", value: { list: [1, { a: null }], at: new Date(5), error: new TypeError("it broke") } },
    { title: "bytes", value: { data: new Uint8Array(3) } },
    { title: "plain data of another realm", value: runInNewContext("({ list: [1, {}] })") },
    { title: "an object without a prototype", value: Object.assign(Object.create(null), { a: 1 }) },
    { title: "a large list", value: Array.from({ length: 30_000 }, (_, at) => at) },
  ])("returns $title unchanged", ({ value }) => {
    expect(modelValue(value)).toBe(value);
  });

  const cycle: { self?: unknown; user: User } = { user: new User() };
  cycle.self = cycle;
  it.each([
    { title: "a cycle", value: cycle },
    { title: "a big integer", value: { count: 1n, user: new User() } },
    { title: "too much text", value: { text: "x".repeat(300_000), user: new User() } },
    {
      title: "a toJSON that throws",
      value: {
        toJSON() {
          throw new Error("not now");
        },
      },
    },
    { title: "a proxy that was revoked", value: { user: new User(), revoked: revokedProxy() } },
  ])("returns a value with $title unchanged", ({ value }) => {
    expect(modelValue(value)).toBe(value);
  });
});

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
