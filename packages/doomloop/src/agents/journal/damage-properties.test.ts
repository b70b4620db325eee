import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { openJournal } from "./journal.ts";
import { HEADER_BYTES, MAGIC } from "./journal-record.ts";

interface State {
  written: number;
  note: string;
}

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "doomloop-damage-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const journal = () => openJournal<State>({ directory, session: "s", generationBytes: 2048 });
const note = (written: number) => `${written}`.repeat(40);
const write = (written: number) =>
  journal().update(() => ({ state: { written, note: note(written) }, result: written }));
const look = () => journal().update((state) => ({ result: state }));

/** Something that happens to the bytes of a file. */
type Damage = (bytes: Buffer) => Buffer;

const position = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const at = (bytes: Buffer, share: number) => Math.floor(share * bytes.length);
const garbage = fc.uint8Array({ maxLength: 300 });
const madeUpHeader = Buffer.concat([MAGIC, Buffer.alloc(HEADER_BYTES - MAGIC.length)]);

const damage: fc.Arbitrary<Damage> = fc.oneof(
  position.map(
    (share): Damage =>
      (bytes) =>
        bytes.subarray(0, at(bytes, share)),
  ),
  fc.tuple(position, fc.nat(7)).map(
    ([share, bit]): Damage =>
      (bytes) => {
        if (bytes.length > 0) bytes[at(bytes, share)]! ^= 1 << bit;
        return bytes;
      },
  ),
  fc.tuple(position, fc.oneof(garbage, fc.constant(MAGIC), fc.constant(madeUpHeader))).map(
    ([share, piece]): Damage =>
      (bytes) =>
        splice(bytes, at(bytes, share), 0, Buffer.from(piece)),
  ),
  fc.tuple(position, fc.nat(400)).map(
    ([share, count]): Damage =>
      (bytes) =>
        splice(bytes, at(bytes, share), count, Buffer.alloc(0)),
  ),
  // As after a power cut: blocks that were never written.
  fc.tuple(position, fc.nat(400)).map(
    ([share, count]): Damage =>
      (bytes) =>
        splice(bytes, at(bytes, share), count, Buffer.alloc(count)),
  ),
  // A piece of the file once more, somewhere else.
  fc.tuple(position, position, fc.nat(800)).map(
    ([from, to, count]): Damage =>
      (bytes) =>
        splice(bytes, at(bytes, to), 0, Buffer.from(bytes.subarray(at(bytes, from), at(bytes, from) + count))),
  ),
);

function splice(bytes: Buffer, start: number, count: number, piece: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, start), piece, bytes.subarray(start + count)]);
}

function files(): string[] {
  const [name] = readdirSync(directory);
  return readdirSync(join(directory, name!)).map((file) => join(directory, name!, file));
}

describe("a damaged journal", () => {
  it("gives out nothing that was not written, and goes on", () => {
    const runs = Math.ceil(propertyRuns() / 10);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(damage, { minLength: 1, maxLength: 4 }),
        (count, damages) => {
          rmSync(directory, { recursive: true, force: true });
          for (let written = 1; written <= count; written++) write(written);
          for (const file of files()) {
            writeFileSync(
              file,
              damages.reduce<Buffer>((bytes, change) => change(bytes), readFileSync(file)),
            );
          }

          const seen = look();
          expect(seen.isKept).toBe(true);
          const state = seen.isKept ? seen.result : undefined;
          if (state !== undefined) expect(state.note).toBe(note(state.written));
          expect(state?.written ?? 0).toBeLessThanOrEqual(count);

          for (const next of [100, 101]) {
            expect(write(next)).toEqual({ isKept: true, result: next });
            expect(look()).toMatchObject({ isKept: true, result: { written: next } });
          }
        },
      ),
      { numRuns: runs },
    );
  });

  it("has lost the last state only, wherever its file was cut", () => {
    const ends = [0];
    for (const written of [1, 2, 3]) {
      write(written);
      ends.push(readFileSync(files()[0]!).length);
    }
    const whole = readFileSync(files()[0]!);
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(files()[0]!, whole);
      truncateSync(files()[0]!, length);
      const complete = ends.findLastIndex((end) => end <= length);

      expect(look()).toMatchObject({ isKept: true, result: complete === 0 ? undefined : { written: complete } });
      expect(write(9)).toEqual({ isKept: true, result: 9 });
      expect(look()).toMatchObject({ isKept: true, result: { written: 9 } });
    }
  });

  it.each([
    { torn: 200, left: 2 },
    { torn: 300, left: 1 },
  ])("goes on after $torn torn records", ({ torn, left }) => {
    // All of it fits into one file.
    const own = () => openJournal<number>({ directory, session: "s" });
    const add = (state: number) => own().update((before) => ({ state, result: before }));
    add(1);
    const first = readFileSync(files()[0]!);
    add(2);
    const second = readFileSync(files()[0]!).subarray(first.length);
    const broken = Buffer.concat([second.subarray(0, -1), Buffer.from([second.at(-1)! ^ 1])]);
    writeFileSync(files()[0]!, Buffer.concat([first, ...Array<Buffer>(torn).fill(broken), second]));

    expect(add(3)).toEqual({ isKept: true, result: left });
    expect(add(4)).toEqual({ isKept: true, result: 3 });
  });
});
