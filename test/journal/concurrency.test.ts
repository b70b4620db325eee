import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { campaignSize } from "../campaign-size.ts";
import { type JournalHome, makeJournalHome } from "./journal-home.ts";
import type { ProcessOrder, ProcessReport } from "./ledger.ts";
import { acknowledged, type ProcessEnd, type RunningProcess, runProcess, startProcess } from "./run-process.ts";

const AT_A_TIME = 16;
/** No machine is too slow for these tests: what they count is what is lost. */
const budgetMs = 600_000;
let home: JournalHome;

afterEach(() => home.remove());

/** An order for some updates, with ids of their own. */
function order(name: string | number, updates = 1): ProcessOrder {
  const { directory, session, generationBytes } = home;
  const ids = Array.from({ length: updates }, (_, index) => `${name}.${index}`);
  return { directory, session, generationBytes, budgetMs, ids };
}

describe("processes that come and go", () => {
  beforeEach(() => {
    home = makeJournalHome();
  });

  it("lose nothing and count nothing twice, 16 at a time", async () => {
    const orders = Array.from({ length: campaignSize({ short: 100, full: 1000 }) }, (_, index) => ({
      ...order(index),
      fillerBytes: 20_000,
      sweeps: true,
    }));
    const ends = await runAll(orders);

    expect(ends.filter(({ code, errors }) => code !== 0 || errors !== "")).toEqual([]);
    expect(ends.flatMap(acknowledged)).toHaveLength(orders.length);
    expect(home.ids().toSorted()).toEqual(orders.flatMap(({ ids }) => ids).toSorted());
    tell(`${orders.length} processes`, ends);
  });
});

describe("processes that begin at the same time", () => {
  beforeEach(() => {
    home = makeJournalHome(16_384);
  });

  it("lose nothing and count nothing twice, while files are replaced all the time", async () => {
    const updates = campaignSize({ short: 10, full: 60 });
    const running = Array.from({ length: AT_A_TIME }, (_, index) =>
      startProcess({ ...order(index, updates), isHeld: true }),
    );
    for (const { release } of running) release();
    const ends = await Promise.all(running.map(({ end }) => end));

    const kept = ends.flatMap(acknowledged);
    expect(kept).toHaveLength(AT_A_TIME * updates);
    expect(home.ids().toSorted()).toEqual(kept.toSorted());
    for (const end of ends)
      expect(home.ids().filter((id) => acknowledged(end).includes(id))).toEqual(acknowledged(end));
    tell(`${AT_A_TIME} processes with ${updates} updates each`, ends);
  });

  it("lose nothing that was acknowledged when some are killed at any time", async () => {
    const rounds = campaignSize({ short: 2, full: 100 });
    for (let round = 0; round < rounds; round++) {
      home.remove();
      const running = Array.from({ length: AT_A_TIME }, (_, index) => startVictim(index));
      for (const { release } of running) release();
      const ends = await Promise.all(running.map(({ end }) => end));
      expect(ends.some(({ signal }) => signal === "SIGKILL")).toBe(true);

      const ids = home.ids();
      const kept = ends.flatMap(acknowledged);
      expect(kept.filter((id) => !ids.includes(id))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
      home.add("after all");
      expect(home.ids()).toEqual([...ids, "after all"]);
    }
  });
});

/** Every third is killed, each at another point of its work: wherever it is when the system gets round to it. */
function startVictim(index: number): RunningProcess {
  let reports = 0;
  const running = startProcess({ ...order(index, 20), fillerBytes: 2000, isHeld: true }, [], () => {
    if (index % 3 === 0 && reports++ >= index / 3) running.kill();
  });
  return running;
}

/** Runs a process for each order, at most 16 at a time. */
async function runAll(orders: readonly ProcessOrder[]): Promise<ProcessEnd[]> {
  const [waiting, ends] = [[...orders], [] as ProcessEnd[]];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) ends.push(await runProcess(next));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return ends;
}

/** What it took, for the record. */
function tell(what: string, ends: readonly ProcessEnd[]): void {
  const reports = ends.flatMap((end) => end.reports);
  const share = (of: (report: ProcessReport) => number, part: number) =>
    reports.map(of).toSorted((one, other) => one - other)[Math.ceil(reports.length * part) - 1];
  const times = [0.5, 0.99, 1].map((part) => share(({ ms }) => ms, part)?.toFixed(1)).join(" / ");
  const tries = [0.5, 0.99, 1].map((part) => share((report) => report.tries, part)).join(" / ");
  process.stderr.write(`${what}: an update took ${times} ms and ${tries} tries (half, 99 %, all)\n`);
}
