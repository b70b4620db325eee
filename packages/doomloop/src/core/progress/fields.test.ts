import { describe, expect, it } from "vitest";
import type { Act } from "../reading.ts";
import {
  bringsContent,
  databaseAct,
  declaredWaitMs,
  fieldsOf,
  filePath,
  firstText,
  namesInside,
  putsText,
  textField,
} from "./fields.ts";

describe("textField", () => {
  it("reads an own text, and nothing else", () => {
    expect(textField({ a: "x" }, "a")).toBe("x");
    expect(textField({ a: 1 }, "a")).toBeUndefined();
    expect(textField({}, "toString")).toBeUndefined();
    expect(
      textField(
        {
          get a() {
            throw new Error("was run");
          },
        },
        "a",
      ),
    ).toBeUndefined();
  });
});

describe("firstText", () => {
  it("is the first of some fields that is a text", () => {
    expect(firstText({ b: "x", c: "y", a: 1 }, ["a", "b", "c"])).toBe("x");
    expect(firstText({ b: "x" }, ["a"])).toBeUndefined();
  });
});

describe("fieldsOf", () => {
  it.each([undefined, null, 7, "text"])("finds none in %j", (args) => {
    expect(fieldsOf(args)).toEqual({});
  });
});

describe("databaseAct", () => {
  it.each<[string, Act | undefined]>([
    ["SELECT 1", "watches"],
    ["select\n  name\nfrom users", "watches"],
    ["  with a as (select 1) select * from a", "watches"],
    ["SHOW TABLES", "watches"],
    ["explain select 1", "watches"],
    ["PRAGMA table_info(t)", "watches"],
    ["INSERT INTO t VALUES (1)", "steps"],
    ["UPDATE t SET a = 1", "steps"],
    ["delete from t limit 1000", "steps"],
    ["drop table t", "steps"],
    ["TRUNCATE TABLE t", "steps"],
    ["vacuum", undefined],
    ["selected works of Goethe", undefined],
    ["updates of last week", undefined],
    ["", undefined],
  ])("of %j is %s", (query, act) => {
    expect(databaseAct({ query })).toBe(act);
  });

  it("reads the field that holds the statement, and no other", () => {
    for (const name of ["query", "sql", "statement"]) expect(databaseAct({ [name]: "drop table t" })).toBe("steps");
    for (const name of ["text", "command"]) expect(databaseAct({ [name]: "drop table t" })).toBeUndefined();
    expect(databaseAct({ query: 7 })).toBeUndefined();
  });
});

describe("declaredWaitMs", () => {
  it.each([
    [{ seconds: 30 }, 30_000],
    [{ secs: 30 }, 30_000],
    [{ ms: 500 }, 500],
    [{ timeout_ms: 500 }, 500],
    [{ timeoutMs: 500 }, 500],
    [{ timeout: 5 }, 5000],
    [{ minutes: 2 }, 120_000],
    [{ duration: 5 }, 5000],
    [{ seconds: 5, ms: 100 }, 100],
    [{ seconds: 1e12 }, 86_400_000],
    [{ seconds: Number.POSITIVE_INFINITY }, 86_400_000],
    [{ seconds: -5 }, 0],
    [{ seconds: Number.NaN }, 0],
    [{ seconds: "30" }, 0],
    [{}, 0],
  ])("of %j is %i", (fields, waitMs) => {
    expect(declaredWaitMs(fields)).toBe(waitMs);
  });
});

describe("filePath", () => {
  it.each([
    [{ path: "a.ts" }, "a.ts"],
    [{ file_path: "a.ts", offset: 3 }, "a.ts"],
    [{ filePath: "a.ts" }, "a.ts"],
    [{ path: "src", pattern: "retry" }, undefined],
    [{ path: "src", glob: "*.ts" }, undefined],
    [{ path: 7 }, undefined],
    [{ file: "a.ts" }, undefined],
    [{}, undefined],
  ])("of %j is %j", (fields, file) => {
    expect(filePath(fields)).toBe(file);
  });
});

describe("namesInside", () => {
  it.each([
    [{ path: "a.ts" }, true],
    [{ target_file: "a.ts" }, true],
    [{ pattern: "*.ts" }, true],
    [{ url: "https://a" }, false],
    [Object.create({ path: "a.ts" }), false],
  ])("of %j is %s", (fields, isInside) => {
    expect(namesInside(fields)).toBe(isInside);
  });
});

describe("a text of its own", () => {
  it("is what is to be written, or put into a page's field", () => {
    for (const name of ["content", "new_string", "patch", "body"]) expect(bringsContent({ [name]: "x" })).toBe(true);
    for (const fields of [{ content: 7 }, { text: "x" }, {}]) expect(bringsContent(fields)).toBe(false);
    for (const name of ["text", "value"]) expect(putsText({ [name]: "x" })).toBe(true);
    for (const fields of [{ value: 7 }, { content: "x" }, {}]) expect(putsText(fields)).toBe(false);
  });

  it("is read without running a getter", () => {
    const fields = {
      get content(): string {
        throw new Error("read");
      },
    };

    expect(bringsContent(fields)).toBe(false);
  });
});
