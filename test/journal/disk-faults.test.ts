import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type JournalHome, makeJournalHome } from "./journal-home.ts";
import type { ProcessOrder, ProcessReport } from "./ledger.ts";
import { runProcess } from "./run-process.ts";

/** Whether a program runs here; says what is left out if not. */
function has(isFine: boolean, what: string): boolean {
  if (!isFine) process.stderr.write(`Skipped: journals ${what}.\n`);
  return isFine;
}

const run = (program: string, ...words: string[]) => spawnSync(program, words).status === 0;
const canLimit = has(
  run("prlimit", "--version"),
  "that may write a part of a record only, because prlimit does not run",
);
const canMount = has(mountsSmallDisks(), "on a small and on a read-only disk, because only root may mount one");

function orderIn({ directory, session, generationBytes }: JournalHome, fillerBytes = 0): ProcessOrder {
  return { directory, session, generationBytes, ids: ["own"], fillerBytes, sweeps: true };
}

/** What a process says about its one update. Whatever happens, it ends well and complains to nobody. */
async function updateIn(home: JournalHome, fillerBytes?: number, before?: string[]): Promise<ProcessReport> {
  const { reports, ...end } = await runProcess(orderIn(home, fillerBytes), before);
  expect(end).toEqual({ code: 0, signal: null, errors: "" });
  expect(reports).toHaveLength(1);
  return reports[0]!;
}

describe.skipIf(!canLimit)("a journal of which the system takes a part only", () => {
  it("says so, and goes on behind the part", async () => {
    const home = makeJournalHome();
    home.add("before");
    const file = join(home.folder, "0");
    for (const room of [1, 30, 70]) {
      const limit = `--fsize=${statSync(file).size + room}`;

      expect(await updateIn(home, 100, ["prlimit", limit])).toMatchObject({ isKept: false, code: "short-write" });
      expect(home.ids()).not.toContain("own");
    }
    home.add("after");
    expect(home.ids()).toEqual(["before", "after"]);
    home.remove();
  });
});

describe.skipIf(!canMount)("a journal on a disk", () => {
  let disk: string;
  let home: JournalHome;

  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), "doomloop-disk-"));
    expect(run("mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", disk)).toBe(true);
    home = makeJournalHome(262_144, disk);
  });
  afterEach(() => {
    expect(run("umount", disk)).toBe(true);
    rmdirSync(disk);
  });

  it("that is full from the start says so, and works when there is room", async () => {
    fill();
    const outcome = await updateIn(home);
    expect(outcome).toMatchObject({ isKept: false, code: "ENOSPC" });

    rmSync(join(disk, "filler"));
    home.add("after");
    expect(home.ids()).toEqual(["after"]);
  });

  it("that runs full says so, keeps what was kept, and works when there is room", async () => {
    home.add("before");
    const codes = new Set<string | undefined>();
    for (let count = 0; count < 8; count++) codes.add((await updateIn(home, 12_000)).code);
    expect([...codes]).toEqual(expect.arrayContaining([undefined, "ENOSPC"]));
    const kept = home.ids();
    expect(kept[0]).toBe("before");

    expect(run("mount", "-o", "remount,size=1m", disk)).toBe(true);
    home.add("after");
    expect(home.ids()).toEqual([...kept, "after"]);
  });

  it("that is read-only says so, and keeps what was kept", async () => {
    home.add("before");
    expect(run("mount", "-o", "remount,ro", disk)).toBe(true);

    expect(await updateIn(home)).toMatchObject({ isKept: false, code: "EROFS" });
    expect(run("mount", "-o", "remount,rw", disk)).toBe(true);
    expect(home.ids()).toEqual(["before"]);
  });

  it("that is read-only from the start says so", async () => {
    expect(run("mount", "-o", "remount,ro", disk)).toBe(true);

    expect(await updateIn(home)).toMatchObject({ isKept: false, code: "EROFS" });
    expect(readdirSync(home.home)).toEqual([]);
    expect(run("mount", "-o", "remount,rw", disk)).toBe(true);
  });

  function fill(): void {
    for (let bytes = 65_536; bytes > 0; bytes -= 4096) {
      try {
        writeFileSync(join(disk, "filler"), Buffer.alloc(bytes));
        return;
      } catch {
        // A little less, then.
      }
    }
  }
});

function mountsSmallDisks(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "doomloop-disk-"));
  const isFine = run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder) && run("umount", folder);
  rmdirSync(folder);
  return isFine;
}
