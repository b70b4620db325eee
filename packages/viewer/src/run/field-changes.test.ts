import { describe, expect, it } from "vitest";
import { fieldChanges } from "./field-changes.ts";

const told = (before: object | undefined, after: object) =>
  fieldChanges(before && JSON.stringify(before), JSON.stringify(after))?.map(
    (field) => `${field.name} ${field.type}: ${field.before} > ${field.after}`,
  );

describe("the fields of two calls", () => {
  it("are told one by one: what is the same, changed, new and gone", () => {
    expect(told({ path: "a.ts", limit: 4, old: [1] }, { path: "a.ts", limit: 5, text: "x" })).toEqual([
      "path same: a.ts > a.ts",
      "limit changed: 4 > 5",
      "text added:  > x",
      "old removed: [1] > ",
    ]);
  });

  it("are all the same at a first time", () => {
    expect(told(undefined, { path: "a.ts" })).toEqual(["path same: a.ts > a.ts"]);
  });

  it("may have any name", () => {
    expect(fieldChanges('{"__proto__":1}', '{"__proto__":2}')).toEqual([
      { name: "__proto__", type: "changed", before: "1", after: "2" },
    ]);
  });

  it.each(["ls -l", "[1]", '{"path":', "", "null"])("are none in %j", (text) => {
    expect(fieldChanges('{"a":1}', text)).toBeUndefined();
    expect(fieldChanges(text, '{"a":1}')).toBeUndefined();
  });
});
