import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFull } from "../campaign-size.ts";
import type { JournalHome } from "./journal-home.ts";
import { acknowledged, type ProcessEnd, runProcess, startProcess } from "./run-process.ts";
import { orderFor, situations } from "./situations.ts";
import { canInject, listCalls, type SystemCall, traced } from "./system-calls.ts";

/** Faults of disks, and of systems that have run out of something. */
const ERRORS = ["ENOSPC", "EIO", "EROFS", "EACCES", "EDQUOT", "EMFILE", "ELOOP"];
/** Others that use the journal while a process stands still: one, some, and enough to replace its file several times. */
const COMPANIES = [1, 6, 40];
const AT_A_TIME = 4;
let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "doomloop-log-"));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** What is done to a process at a system call. */
const DISTURBANCES = ["kill", "stop", "fault"] as const;
const cases = Object.entries(situations).map(([title, makeHome], place) => ({ title, makeHome, place }));

describe.skipIf(!canInject()).each(cases)("a process that comes upon $title", ({ makeHome, place }) => {
  let calls: SystemCall[];

  beforeAll(async () => {
    const home = makeHome();
    calls = await listCalls(home, orderFor(home)).finally(home.remove);
  });

  it("touches the state's folder a few times only", () => {
    expect(calls.length).toBeGreaterThan(15);
    expect(calls.length).toBeLessThan(80);
  });

  it("leaves nothing lost, doubled or in the way when it is killed", async () => {
    const count = await atEach("kill", [""], async ({ call, home, log }) => {
      const end = await runProcess(orderFor(home), traced(home, log, injection(call, "signal=KILL")));
      expect(end.signal).toBe("SIGKILL");
      verify(home, end);
    });
    tell(count, "kills");
  });

  it("is kept once when it is stopped while others come by", async () => {
    const count = await atEach("stop", COMPANIES, async ({ call, home, log, variant }) => {
      const running = startProcess(orderFor(home), traced(home, log, injection(call, "signal=STOP")));
      running.release();
      const stopped = await stoppedProcess(log, running.end);
      for (let other = 0; other < variant; other++) home.add(`other ${other}`);
      process.kill(stopped, "SIGCONT");
      const end = await running.end;

      expect(end).toMatchObject({ code: 0, errors: "" });
      expect(acknowledged(end)).toEqual(["own"]);
      verify(home, end);
    });
    tell(count, "stops");
  });

  it("answers at once when a call fails", async () => {
    const times: number[] = [];
    const faults = ERRORS.flatMap((error) => [`error=${error}`, `error=${error}+`]);
    const count = await atEach("fault", faults, async ({ call, home, log, variant }) => {
      const end = await runProcess(orderFor(home), traced(home, log, injection(call, variant)));
      expect(end).toMatchObject({ code: 0, errors: "" });
      expect(end.reports).toHaveLength(1);
      expect(["busy", "unknown"]).not.toContain(end.reports[0]!.code);
      times.push(end.reports[0]!.ms);
      verify(home, end);
    });
    const [half, most] = [0.5, 0.99].map(
      (part) => times.toSorted((one, other) => one - other)[Math.floor(count * part)]!,
    );
    tell(count, `faults, answered within ${half!.toFixed(1)} ms (half) and ${most!.toFixed(1)} ms (99 %)`);
  });

  interface Trial<Variant> {
    readonly call: SystemCall;
    readonly variant: Variant;
    readonly home: JournalHome;
    readonly log: string;
  }

  /**
   * Tries all variants at each call, in a home of its own. A build disturbs each call of each situation once: the disturbances take
   * turns, and so do their variants. The situations share most calls, and each begins with another one. Returns how many there were.
   */
  async function atEach<Variant>(
    disturbance: (typeof DISTURBANCES)[number],
    variants: readonly Variant[],
    attempt: (trial: Trial<Variant>) => Promise<void>,
  ): Promise<number> {
    const turn = DISTURBANCES.indexOf(disturbance);
    const trials = calls.flatMap((call, index) => {
      const lap = Math.floor((index + place) / DISTURBANCES.length);
      const isDue = (index + place) % DISTURBANCES.length === turn;
      const chosen = isFull ? variants : isDue ? [variants[lap % variants.length]!] : [];
      return chosen.map((variant) => ({ call, variant }));
    });
    const waiting = [...trials.entries()];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, { call, variant }] = next;
        const home = makeHome();
        const log = join(scratch, String(index));
        try {
          await attempt({ call, variant, home, log });
        } catch (cause) {
          throw new Error(`at ${call.name} number ${call.when}, ${variant}`, { cause });
        } finally {
          home.remove();
          rmSync(log, { force: true });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    return trials.length;
  }
});

/** What was acknowledged is there, once; what was not may be; and the next one can go on. */
function verify(home: JournalHome, end: ProcessEnd): void {
  const ids = home.ids();
  const isOwnThere = ids.includes("own");
  if (acknowledged(end).length > 0) expect(isOwnThere).toBe(true);
  expect(ids.toSorted()).toEqual([...home.added, ...(isOwnThere ? ["own"] : [])].toSorted());
  home.add("next");
  expect(home.ids()).toEqual([...ids, "next"]);
}

/** The process that strace says is stopped. */
async function stoppedProcess(log: string, end: Promise<ProcessEnd>): Promise<number> {
  let hasEnded = false;
  end.then(() => {
    hasEnded = true;
  });
  const find = () => {
    if (hasEnded) throw new Error("The process came to its end without a stop.");
    return /^(\d+) +--- stopped by SIGSTOP/m.exec(readFileSync(log, "utf8"))?.[1];
  };
  await expect.poll(find, { interval: 5 }).toBeDefined();
  return Number(find());
}

function injection({ name, when }: SystemCall, what: string): string[] {
  const isFromThenOn = what.endsWith("+");
  return [`${name}:${what.replace("+", "")}:when=${when}${isFromThenOn ? "+" : ""}`];
}

/** What was done, for the record. */
function tell(count: number, what: string): void {
  if (isFull) process.stderr.write(`${count} ${what}: all clean\n`);
}
