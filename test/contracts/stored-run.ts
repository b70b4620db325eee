import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { HostOptions, LoopStop } from "../../packages/doomloop/src/host/host-options.ts";
import { spawnCommand } from "../run-command.ts";
import type { ScriptedAnswer, ScriptedTool } from "./adapter-driver.ts";
import { WORDS } from "./adapter-report.ts";

/** What a step works with. Its process knows nothing else about the run. */
interface StepSettings {
  /** The options of the adapter. */
  readonly options: HostOptions;
  readonly tool: ScriptedTool;
  /** What the model says from now on. */
  readonly script: readonly ScriptedAnswer[];
}

/** What came of a step. */
export interface StepReport {
  /** The run as its host stores it: plain data. */
  readonly state: unknown;
  /** What the model was asked. */
  readonly requests: readonly unknown[];
  readonly isOver: boolean;
  readonly stop: LoopStop | undefined;
}

/** Takes a run that was stored, or starts one if there is none, makes one request to the model, and stores the run. */
export type TakeStep = (state: unknown, settings: StepSettings) => Promise<StepReport>;

/** What a new process knows of the run: what the host stores, or that and a guard store. */
export type StoredIn = "host" | "guard store";

/** What a process gets, as JSON. */
export interface StepInput {
  readonly host: string;
  readonly storedIn: StoredIn;
  readonly step: number;
  /** How often the model was asked before. */
  readonly asked: number;
  readonly state?: unknown;
  /** The text that a guard store saved. */
  readonly guard?: string | undefined;
}

/** What a process leaves behind, as JSON. */
export interface StepOutput extends StepReport {
  readonly guard?: string | undefined;
  readonly executed: number;
  /** What `onStop` was called with. */
  readonly stops: readonly LoopStop[];
  readonly faults: readonly string[];
}

const MAX_STEPS = 9;
const READ_SOURCE = pathToFileURL(resolve(import.meta.dirname, "../read-source.ts")).href;

/**
 * A stored run comes out as in one process: words at the third result and at the fourth, the fifth call refused, the end at the sixth.
 *
 * @param host the URL of a module that exports `takeStep`
 */
export function storedRun(host: string, ...places: readonly StoredIn[]): void {
  it.each(places)(
    "goes on as in one process if the run is in its %s, and each step has a new process",
    async (storedIn) => {
      const steps = await takeSteps(host, storedIn);
      const requests = steps.flatMap((step) => step.requests).map((request) => JSON.stringify(request));
      const stops = steps.flatMap((step) => step.stops);

      expect(steps.flatMap(({ faults }) => faults)).toEqual([]);
      expect(requests.map((request) => request.split(WORDS).length - 1)).toEqual([0, 0, 0, 1, 2, 3]);
      expect(requests[5]).toContain(`${WORDS} Not run:`);
      expect(steps.reduce((sum, { executed }) => sum + executed, 0)).toBe(4);
      expect(steps.map(({ isOver }) => isOver).indexOf(true)).toBe(steps.length - 1);
      expect(stops).toMatchObject([{ status: "LOOP_DETECTED", tool: "read_file", count: 4, action: "stop" }]);
      expect(steps.at(-1)?.stop).toEqual(stops[0]);
    },
  );
}

async function takeSteps(host: string, storedIn: StoredIn): Promise<StepOutput[]> {
  const steps: StepOutput[] = [];
  while (steps.length < MAX_STEPS && steps.at(-1)?.isOver !== true) {
    const { state, guard } = steps.at(-1) ?? {};
    const asked = steps.flatMap(({ requests }) => requests).length;
    steps.push(await takeStep({ host, storedIn, step: steps.length + 1, asked, state, guard }));
  }
  return steps;
}

async function takeStep(input: StepInput): Promise<StepOutput> {
  const program = resolve(import.meta.dirname, "stored-run-step.ts");
  const { code, stdout, stderr } = await spawnCommand(process.execPath, ["--import", READ_SOURCE, program], {
    cwd: import.meta.dirname,
    env: process.env,
    input: JSON.stringify(input),
  });
  if (code !== 0) throw new Error(`the process of step ${input.step} failed: ${stderr}`);
  return JSON.parse(stdout.slice(stdout.lastIndexOf("\n{") + 1)) as StepOutput;
}
