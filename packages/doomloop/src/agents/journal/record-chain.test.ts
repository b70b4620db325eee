import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { limitHere, lowestCostMs } from "../../../../../test/shortest-time.ts";
import { HEADER_BYTES, MAGIC, type RecordLock, writeRecord } from "./journal-record.ts";
import { followChain, ROOT } from "./record-chain.ts";

const lock: RecordLock = { key: randomBytes(32), generation: 3 };
const record = (parent: string, body: string, by = lock) => writeRecord(by, parent, 5, Buffer.from(body));
const follow = (...pieces: (Buffer | string)[]) =>
  followChain(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), ROOT, lock);
const first = record(ROOT.id, "first");
const second = record(first.id, "second");

describe("a chain of records", () => {
  it("ends with the last that builds on the one before", () => {
    expect(follow(first.bytes, second.bytes).tip).toMatchObject({ id: second.id, at: 5, body: Buffer.from("second") });
  });

  it("has no place for the later of two that build on the same", () => {
    const late = record(first.id, "late");
    const third = record(second.id, "third");

    expect(follow(first.bytes, second.bytes, late.bytes).tip?.id).toBe(second.id);
    expect(follow(first.bytes, second.bytes, late.bytes, third.bytes).tip?.id).toBe(third.id);
    expect(follow(first.bytes, late.bytes, second.bytes).tip?.id).toBe(late.id);
  });

  it("has no place for what builds on a record that does not count", () => {
    const late = record(first.id, "late");

    expect(follow(first.bytes, second.bytes, late.bytes, record(late.id, "after").bytes).tip?.id).toBe(second.id);
  });

  it("goes on behind a record that was torn at any byte", () => {
    const torn = record(first.id, "torn").bytes;
    const late = record(ROOT.id, "late").bytes;
    for (let length = 0; length < torn.length; length++) {
      expect(follow(first.bytes, torn.subarray(0, length), second.bytes).tip?.id).toBe(second.id);
      expect(follow(first.bytes, late.subarray(0, length), second.bytes).tip?.id).toBe(second.id);
      expect(follow(torn.subarray(0, length), first.bytes, second.bytes, torn.subarray(0, length)).tip?.id).toBe(
        second.id,
      );
    }
  });

  it("has no place for a record that was changed in any bit", () => {
    for (let at = 0; at < second.bytes.length; at++) {
      const changed = Buffer.from(second.bytes);
      changed[at]! ^= 1 << (at % 8);

      expect(follow(first.bytes, changed).tip?.id).toBe(first.id);
    }
  });

  it("has no place for a record of another generation or another key", () => {
    expect(follow(record(ROOT.id, "x", { ...lock, generation: 4 }).bytes).tip).toBeUndefined();
    expect(follow(record(ROOT.id, "x", { ...lock, key: randomBytes(32) }).bytes).tip).toBeUndefined();
  });

  it("is settled as far as there is nothing else between its records", () => {
    const third = record(second.id, "third");

    expect(follow(first.bytes, second.bytes).settled.id).toBe(second.id);
    expect(follow(first.bytes, "?", second.bytes, third.bytes).settled.id).toBe(first.id);
    expect(follow("?", first.bytes, second.bytes).settled).toBe(ROOT);
  });

  it("can be followed from any record on", () => {
    const { settled } = follow(first.bytes);
    const chain = followChain(second.bytes, settled, lock, second.id);

    expect(chain).toMatchObject({
      hasOwn: true,
      tip: { id: second.id, end: first.bytes.length + second.bytes.length },
    });
    expect(followChain(second.bytes, settled, lock, first.id).hasOwn).toBe(false);
  });

  it("does not take long to follow through headers that somebody made up", () => {
    const count = 4_000;
    const bytes = Buffer.alloc(count * HEADER_BYTES);
    for (let at = 0; at < bytes.length; at += HEADER_BYTES) {
      MAGIC.copy(bytes, at);
      bytes.writeUInt32BE(bytes.length - at - HEADER_BYTES, at + MAGIC.length);
    }
    const limitMs = limitHere(300);

    expect(followChain(bytes, ROOT, lock).tip).toBeUndefined();
    expect(lowestCostMs(() => void followChain(bytes, ROOT, lock), limitMs)).toBeLessThan(limitMs);
  });
});
