import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { detectReader } from "../../packages/doomloop/src/scan/detect-reader.ts";
import { findReader } from "../../packages/doomloop/src/scan/read-transcript.ts";
import { readers } from "../../packages/doomloop/src/scan/readers.ts";
import { readHead } from "../../packages/doomloop/src/transcripts/read-head.ts";
import type { TranscriptReader } from "../../packages/doomloop/src/transcripts/reader.ts";
import { propertyRuns } from "../property-runs.ts";
import { hostileValues } from "../transcripts/hostile-values.ts";
import { itemsOf, itemsOfBytes, type ReadItems } from "../transcripts/read-items.ts";
import { toldItems } from "../transcripts/told-items.ts";

export interface ReaderExpectations {
  /** Kinds of events that the golden files must bring: what the agent records, the reader reads. */
  readonly events: readonly AgentEvent["type"][];
  /** Results whose call is not in the file. */
  readonly unpaired?: number;
  /** Whether the agent records what an answer took. */
  readonly hasUsage: boolean;
}

/** Each run of a property reads whole files, for each of many readers: they run less often than others. */
const runsOf = (share: number) => ({ numRuns: Math.ceil(propertyRuns() / share) });

const fixtures = resolve(import.meta.dirname, "../transcripts/fixtures");
const MACHINE = { home: "/home/dev", env: {}, platform: "linux" as const };

/** What every transcript reader must do, shown on the golden files in `test/transcripts/fixtures/<agent>/`. */
export function transcriptReaderContract(reader: TranscriptReader, expectations: ReaderExpectations): void {
  const folder = join(fixtures, reader.agent);
  const all = globSync("**/*", { cwd: folder, withFileTypes: true });
  const files = all
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".golden"))
    .map((entry) => join(entry.parentPath, entry.name));
  const own = files.filter((file) => detectReader(file, readHead(file), [reader]) !== undefined).sort();
  const texts = own.filter((file) => !file.endsWith(".db")).map((file) => readFileSync(file));

  describe(`as a reader of ${reader.label}`, () => {
    it("is one of the readers, under a name of its own", () => {
      expect(readers.filter((other) => other.agent === reader.agent)).toEqual([reader]);
    });

    it("names its places with whole paths, and never by the machine it runs on", () => {
      for (const root of reader.roots(MACHINE)) expect(root).toMatch(/^\/home\/dev\//);
    });

    it("knows its golden files, and nobody else claims them", () => {
      expect(own).not.toEqual([]);
      for (const file of own) {
        const claims = readers.filter((other) => detectReader(file, readHead(file), [other]) !== undefined);
        expect(claims.map((other) => other.agent)).toEqual([reader.agent]);
      }
    });

    it.each(own.map((file) => ({ file, name: relative(folder, file) })))("reads $name", async ({ file, name }) => {
      const items = await itemsOf(file, reader);

      expect(items.skipped).toEqual({ malformed: 0, tooLong: 0 });
      expect(items.faults).toBe(0);
      await expect(toldItems(items)).toMatchFileSnapshot(join(folder, `${name}.golden`));
    });

    it("reads the same twice", async () => {
      for (const file of own) expect(await itemsOf(file, reader)).toEqual(await itemsOf(file, reader));
    });

    it("brings what the agent records", async () => {
      const types = new Set<string>();
      let usages = 0;
      for (const file of own) {
        const items = await itemsOf(file, reader);
        for (const { event } of items.events) types.add(event.type);
        usages += items.usages.length;
      }
      expect([...types].sort()).toEqual([...expectations.events].sort());
      expect(usages > 0).toBe(expectations.hasUsage);
    });

    it("tells of a run before its events, and ends each run that it began", async () => {
      for (const file of own) {
        const { order } = await itemsOf(file, reader);
        const open = new Set<string>();
        for (const { kind, run } of order) {
          if (kind === "session") open.add(run);
          else expect(open.has(run)).toBe(true);
          if (kind === "end") open.delete(run);
        }
        expect([...open]).toEqual([]);
      }
    });

    it("pairs results with calls", async () => {
      let unpaired = 0;
      for (const file of own) unpaired += unpairedResults(await itemsOf(file, reader));
      expect(unpaired).toBe(expectations.unpaired ?? 0);
    });

    it("recognises nothing in nothing, binary data and half a record", () => {
      for (const head of ["", "\0\0\0", "{", "[", "{}", "[]", "null", '"text"', "{}\n{}\n", "\uFEFF", "a,b\n1,2\n"]) {
        expect(reader.isMine("/home/dev/x.json", head)).toBe(false);
      }
    });

    const lined = own.filter((file) => file.endsWith(".jsonl"));
    it.runIf(lined.length > 0).each([
      ["a torn line", '{"text":"'],
      ["a record that is longer than what is looked at", `{"text":"${"x".repeat(200_000)}"}`],
      ["an empty line", ""],
    ])("recognises its lines behind %s, and loses none of them", async (_, line) => {
      const place = mkdtempSync(join(tmpdir(), "transcript-"));
      try {
        for (const file of lined) {
          const path = join(place, basename(file));
          writeFileSync(path, `${line}\n${readFileSync(file, "utf8")}`);
          expect([file, findReader(path)?.agent]).toEqual([file, reader.agent]);
          const told = (items: ReadItems) => items.events.filter(({ event }) => event.type === "call").length;
          expect(told(await itemsOf(path, reader))).toBe(told(await itemsOf(file, reader)));
        }
      } finally {
        rmSync(place, { recursive: true });
      }
    });

    it("survives files that end anywhere", () => {
      for (const bytes of texts) {
        for (const end of endsOf(bytes)) expect(itemsOfBytes([bytes.subarray(0, end)], reader).faults).toBe(0);
      }
    });

    it("reads the same however the bytes are cut", () => {
      fc.assert(
        fc.property(fc.constantFrom(...texts), fc.array(fc.nat(200_000), { maxLength: 8 }), (bytes, cuts) => {
          const ends = [...cuts.filter((cut) => cut < bytes.length).sort((one, other) => one - other), bytes.length];
          const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
          expect(itemsOfBytes(pieces, reader)).toEqual(itemsOfBytes([bytes], reader));
        }),
        runsOf(100),
      );
    });

    it("survives lines that are lost, doubled, exchanged, torn and mixed with those of others", () => {
      const lines = texts.flatMap((bytes) => bytes.toString().split("\n"));
      const torn = fc.tuple(fc.constantFrom(...lines), fc.nat(400)).map(([line, at]) => line.slice(0, at));
      const line = fc.oneof(fc.constantFrom(...lines), torn, fc.constantFrom(...foreignLines()), fc.string());
      fc.assert(
        fc.property(fc.array(line, { maxLength: 40 }), (chosen) => {
          const { faults, order } = itemsOfBytes([Buffer.from(chosen.join("\n"))], reader);
          expect(faults).toBe(0);
          const last = new Map(order.map(({ run, kind }) => [run, kind]));
          expect([...last.values()].every((kind) => kind === "end")).toBe(true);
        }),
        runsOf(20),
      );
    });

    it("survives bytes that are no text", () => {
      fc.assert(
        fc.property(
          fc.uint8Array({ maxLength: 600 }),
          fc.constantFrom(...texts),
          fc.nat(100_000),
          (noise, bytes, at) => {
            const pieces = [bytes.subarray(0, at), noise, bytes.subarray(at)];
            expect(itemsOfBytes([Buffer.concat(pieces)], reader).faults).toBe(0);
          },
        ),
        runsOf(20),
      );
    });

    it("survives hostile values in every field of its records", () => {
      const records = texts.flatMap((bytes) => recordsOf(bytes));
      fc.assert(
        fc.property(fc.constantFrom(...records), hostileValues, fc.nat(), (record, value, place) => {
          const items = itemsOfBytes([Buffer.from(JSON.stringify(replaced(record, value, place)))], reader);
          expect(items.faults).toBe(0);
          for (const { event } of items.events) expect(typeof event.type).toBe("string");
          for (const { usage } of items.usages)
            expect(usage.inputTokens + usage.outputTokens).toBeGreaterThanOrEqual(0);
        }),
        runsOf(10),
      );
    });
  });
}

/** Ends of every kind: each of the first and last bytes, around each line's end, and within many-byte characters. */
function endsOf(bytes: Buffer): readonly number[] {
  const ends = new Set<number>();
  for (let at = 0; at < 64; at++) ends.add(at).add(Math.max(0, bytes.length - at));
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0 && lines < 40; at = bytes.indexOf(10, at + 1), lines++) {
    for (const near of [-1, 0, 1, 2, 30]) ends.add(Math.max(0, Math.min(bytes.length, at + near)));
  }
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= 0x80) ends.add(at);
  return [...ends].slice(0, 400);
}

function foreignLines(): readonly string[] {
  const files = globSync("*/**/*.{json,jsonl}", { cwd: fixtures });
  return files.flatMap((file) => readFileSync(join(fixtures, file), "utf8").split("\n").slice(0, 4));
}

/** Results that belong to no call before them. */
function unpairedResults({ events }: ReadItems): number {
  const open = new Map<string, number>();
  let unpaired = 0;
  for (const { run, event } of events) {
    if (event.type !== "call" && event.type !== "result") continue;
    const key = `${run} ${event.id}`;
    const count = open.get(key) ?? 0;
    if (event.type === "call") open.set(key, count + 1);
    else if (count === 0) unpaired++;
    else open.set(key, count - 1);
  }
  return unpaired;
}

function recordsOf(bytes: Buffer): readonly unknown[] {
  const text = bytes.toString();
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as unknown);
  }
}

/** A copy of a value with one of its fields replaced: the `place`-th, in the order of a walk. */
function replaced(value: unknown, by: unknown, place: number): unknown {
  const copy = structuredClone(value);
  const places: [Record<string, unknown>, string][] = [];
  const waiting: unknown[] = [copy];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const [key, child] of Object.entries(next)) {
      places.push([next as Record<string, unknown>, key]);
      waiting.push(child);
    }
  }
  if (places.length === 0) return by;
  const [parent, key] = places[place % places.length]!;
  parent[key] = by;
  return copy;
}
