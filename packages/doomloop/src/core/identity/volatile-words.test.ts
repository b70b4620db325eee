import { describe, expect, it } from "vitest";
import { isTemporaryPath, isVolatileWord } from "./volatile-words.ts";

describe("isVolatileWord", () => {
  it.each([
    "12:30",
    "12:30:59",
    "1:02:03.123456",
    "2026-03-04",
    "2026/03/04",
    "04/03/2026",
    "2026-03-04T10:11:12Z",
    "2026-03-04T10:11:12.345+01:00",
    "2026-03-04_10-11-12",
    "1770000000",
    "1770000000123",
    "0x7f3a9c",
    "deadbeef01",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "12ms",
    "1.25s",
    "2h5m3s",
    "350us",
    "localhost:8080",
    "127.0.0.1:50123",
    "3x",
    "/tmp/a1b2/out.log",
  ])("masks %j", (word) => {
    expect(isVolatileWord(word, "", "")).toBe(true);
  });

  it.each([
    "1",
    "42",
    "3.14",
    "100",
    "1.2.3",
    "v2",
    "abc",
    "a1",
    "cafe",
    "5%",
    "utf8",
    "src/a1.ts",
    "10.0.0.1",
    "99:99:99:99",
    "e2e",
    "12/13",
    "x3",
  ])("leaves %j", (word) => {
    expect(isVolatileWord(word, "", "")).toBe(false);
  });

  it("goes by the word behind a number", () => {
    expect(isVolatileWord("3", "", "seconds")).toBe(true);
    expect(isVolatileWord("3", "", "ms")).toBe(true);
    expect(isVolatileWord("3", "", "rows")).toBe(false);
  });

  it.each(["request_id", "traceId", "span-id", "idempotency_key", "nonce", "etag"])(
    "masks what stands behind %j",
    (name) => {
      expect(isVolatileWord("x7-q9z", name.toLowerCase(), "")).toBe(true);
      expect(isVolatileWord("x7-q9z", `my_${name}`.toLowerCase(), "")).toBe(false);
    },
  );

  it("masks a shorter id where it is called one", () => {
    expect(isVolatileWord("a1b2c3", "id", "")).toBe(true);
    expect(isVolatileWord("a1b2c3", "of", "")).toBe(false);
    expect(isVolatileWord("a1b2c", "id", "")).toBe(false);
  });

  it("goes by the word before a number", () => {
    expect(isVolatileWord("4711", "pid", "")).toBe(true);
    expect(isVolatileWord("2", "attempt", "")).toBe(true);
    expect(isVolatileWord("4711", "line", "")).toBe(false);
  });
});

describe("isTemporaryPath", () => {
  it.each(["/tmp/x", "/var/folders/zz/x", "/var/tmp/y"])("is %j", (path) => {
    expect(isTemporaryPath(path)).toBe(true);
  });

  it.each(["tmp/x", "/home/tmp/x", "/tmpx", ""])("is not %j", (path) => {
    expect(isTemporaryPath(path)).toBe(false);
  });
});
