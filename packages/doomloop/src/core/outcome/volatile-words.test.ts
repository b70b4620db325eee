import { describe, expect, it } from "vitest";
import { isVolatileAt } from "./volatile-words.ts";

/** Whether the word between the marks is volatile where it stands. */
const isVolatile = (marked: string): boolean => {
  const text = marked.replace(/[«»]/g, "");
  const [start, end] = [marked.indexOf("«"), marked.indexOf("»") - 1];
  return isVolatileAt(text, start, end, /\d/.test(text.slice(start, end)));
};

describe("isVolatileAt", () => {
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
    "1770000000.25",
    "20260304101112",
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
    "/tmp/x",
    "/var/folders/zz/x",
    "/var/tmp/y",
    "12:30:59.",
  ])("masks %j", (word) => {
    expect(isVolatile(`«${word}»`)).toBe(true);
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
    "4915112345",
    "4006381333931",
    "99:99:99:99",
    "e2e",
    "12/13",
    "x3",
    "5M",
    "tmp/x",
    "/home/tmp/x",
    "/tmpx",
    `${"1".repeat(201)}`,
  ])("leaves %j", (word) => {
    expect(isVolatile(`«${word}»`)).toBe(false);
  });

  it.each([
    "«3» seconds",
    "«3.25» ms",
    "«12» min",
    "pid «4711»",
    '"port": «5173»',
    "attempt «2»",
    "Chunk ID: «a1b2c3»",
    "request_id=«x7-q9z»",
    '"traceId": "«x7-q9z»"',
    "span-id: «x7-q9z»",
    "idempotency_key «x7-q9z»",
    "etag: «x7-q9z»",
    "[«12»] link",
    "link [ref=«e52»]",
  ])("masks what stands between the marks in %j", (text) => {
    expect(isVolatile(text)).toBe(true);
  });

  it.each([
    "«3» rows",
    "«3» messages",
    "line «4711»",
    "pid, «4711»",
    "grid «4711»",
    "of «a1b2c3»",
    "id «a1b2c»",
    "my_request_id=«x7-q9z»",
    "name=«x7-q9z»",
    "[«v2»]",
    "list[«12»",
    "href=«e52»",
  ])("leaves what stands between the marks in %j", (text) => {
    expect(isVolatile(text)).toBe(false);
  });
});
