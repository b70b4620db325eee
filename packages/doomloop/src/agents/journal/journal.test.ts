import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createJournalSandbox, kept, look, plusOne } from "../../../../../test/journal-sandbox.ts";

const DAY_MS = 24 * 3_600_000;
const { home, directory, journal, files } = createJournalSandbox();

describe("a journal", () => {
  it("keeps a state from one process to the next", () => {
    expect(journal().update(plusOne)).toEqual(kept(1));
    expect(journal().update(plusOne)).toEqual(kept(2));
    expect(journal().update(look)).toEqual(kept({ count: 2 }));
  });

  it("keeps sessions and agents apart", () => {
    for (const options of [
      {},
      { session: "t" },
      { agent: "a" },
      { session: "s,a" },
      { session: "../../s", agent: "\0" },
    ])
      expect(journal(options).update(plusOne)).toEqual(kept(1));

    expect(journal({ agent: "a" }).update(look)).toEqual(kept({ count: 1 }));
  });

  it("writes nothing without a new state", () => {
    journal().update(plusOne);
    const before = files().map((file) => readFileSync(file));

    journal().update(look);

    expect(files().map((file) => readFileSync(file))).toEqual(before);
  });

  it("asks again with the newer state if another was first", () => {
    const seen: (number | undefined)[] = [];
    const outcome = journal().update((state) => {
      seen.push(state?.count);
      if (seen.length <= 3) journal().update(plusOne);
      return plusOne(state);
    });

    expect(outcome).toEqual(kept(4));
    expect(seen).toEqual([undefined, 1, 2, 3]);
  });

  it("gives every call a state of its own to change", () => {
    journal().update(plusOne);
    let calls = 0;
    const outcome = journal().update((state) => {
      state!.count += 10;
      if (++calls === 1) journal().update((other) => ({ state: { ...other!, note: "between" }, result: 0 }));
      return { state: state!, result: { ...state! } };
    });

    expect(outcome).toEqual(kept({ count: 11, note: "between" }));
  });

  it("gives up when its time is over, and leaves the state as it is", () => {
    const outcome = journal({ budgetMs: 0 }).update((state) => {
      journal().update(plusOne);
      return { state: { count: 99 }, result: state };
    });

    expect(outcome).toMatchObject({ isKept: false, fault: { code: "busy" } });
    expect(journal().update(look)).toEqual(kept({ count: 1 }));
  });

  it("lets through what the caller's function throws", () => {
    const fault = new Error("own");
    const run = () =>
      journal().update(() => {
        throw fault;
      });

    expect(run).toThrow(fault);
    expect(journal().update(plusOne)).toEqual(kept(1));
  });

  it("refuses bad options", () => {
    expect(() => journal({ budgetMs: -1 })).toThrow(
      "openJournal: budgetMs: an integer of at least 0 is required, got -1",
    );
    expect(() => journal({ generationBytes: 10 })).toThrow("openJournal: generationBytes");
  });
});

describe("a journal's state", () => {
  it("is forgotten after a week of silence, and then begins anew", () => {
    journal({ now: () => 0 }).update(plusOne);

    expect(journal({ now: () => 6 * DAY_MS }).update(look)).toEqual(kept({ count: 1 }));
    expect(journal({ now: () => 7 * DAY_MS }).update(plusOne)).toEqual(kept(1));
    expect(journal({ now: () => 8 * DAY_MS }).update(plusOne)).toEqual(kept(2));
  });

  it("is not forgotten if the clock is set back", () => {
    journal({ now: () => 30 * DAY_MS }).update(plusOne);

    expect(journal({ now: () => 0 }).update(plusOne)).toEqual(kept(2));
  });
});

describe("a journal that cannot be kept", () => {
  it("says so where its folder is a file", () => {
    mkdirSync(join(home(), "state"));
    writeFileSync(directory(), "");

    expect(journal().update(plusOne)).toMatchObject({ isKept: false, fault: { code: "not-private" } });
  });

  it("says so where a file is a folder", () => {
    journal().update(plusOne);
    const [file] = files();
    rmSync(file!);
    mkdirSync(file!);

    expect(journal().update(plusOne)).toMatchObject({ isKept: false, fault: { code: "EISDIR" } });
  });
});
