import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createJournalSandbox, kept, look, plusOne } from "../../../../../test/journal-sandbox.ts";

const isWindows = process.platform === "win32";
const { directory, journal, files } = createJournalSandbox();

describe("a journal's files", () => {
  it("are replaced as they grow, and only the latest stays", () => {
    for (let count = 1; count <= 200; count++)
      expect(journal({ generationBytes: 1024 }).update(plusOne)).toEqual(kept(count));

    expect(files()).toHaveLength(1);
    expect(statSync(files()[0]!).size).toBeLessThan(1200);
  });

  it("are replaced under the feet of a slow process, which goes on in the new one", () => {
    const options = { generationBytes: 1024 };
    let calls = 0;
    const outcome = journal(options).update((state) => {
      if (++calls === 1) for (let turn = 0; turn < 50; turn++) journal(options).update(plusOne);
      return plusOne(state);
    });

    expect(outcome).toEqual(kept(51));
    expect(calls).toBe(2);
  });

  it("refuse a state that does not fit", () => {
    journal().update(plusOne);
    const outcome = journal().update(() => ({ state: { count: 0, note: "x".repeat(600_000) }, result: 0 }));

    expect(outcome).toMatchObject({ isKept: false, fault: { code: "too-large" } });
    expect(journal().update(look)).toEqual(kept({ count: 1 }));
  });

  it("show nothing of the state or its owner, nor that two sessions have the same", () => {
    const digest = "3f786850e387550fdab836ed7e6dc881";
    for (const session of ["session-one", "session-two"])
      journal({ session }).update(() => ({ state: { count: 1, note: digest }, result: 0 }));

    const [one, two] = files().map((file) => readFileSync(file));
    expect(files().join()).not.toMatch(/session-|s-one/);
    expect(one!.includes(digest) || one!.includes("count") || one!.includes("session-")).toBe(false);
    // Magic and length are all that two records have in common.
    expect(one!.subarray(0, 12)).toEqual(two!.subarray(0, 12));
    expect(commonBytes(one!.subarray(60), two!.subarray(60))).toBeLessThan(8);
  });

  it.skipIf(isWindows)("are their owner's only", () => {
    journal().update(plusOne);
    const modes = [directory(), join(files()[0]!, ".."), files()[0]!].map((path) => statSync(path).mode & 0o777);

    expect(modes).toEqual([0o700, 0o700, 0o600]);
  });

  it("are not read in the place of others", () => {
    journal({ session: "a" }).update(() => ({ state: { count: 41 }, result: 0 }));
    const foreign = readFileSync(files()[0]!);
    journal({ session: "b" }).update(plusOne);
    for (const file of files()) writeFileSync(file, foreign);

    expect(journal({ session: "b" }).update(plusOne)).toEqual(kept(1));
  });
});

function commonBytes(one: Buffer, other: Buffer): number {
  return [...one].filter((byte, at) => byte === other[at]).length;
}
