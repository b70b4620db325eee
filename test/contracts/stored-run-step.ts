import { text } from "node:stream/consumers";
import { guardStore, type LoopStop } from "doomloop";
import { loopScript, QUICK, recordedTools } from "./adapter-scripts.ts";
import type { StepInput, StepOutput, StepReport, TakeStep } from "./stored-run.ts";

/** One step of a stored run, in a process of its own: reads a `StepInput` and writes a `StepOutput`. */
const input = JSON.parse(await text(process.stdin)) as StepInput;
const { takeStep } = (await import(input.host)) as { takeStep: TakeStep };
const { tools, executed } = recordedTools();
const stops: LoopStop[] = [];
const faults: string[] = [];
const onStop = (stop: LoopStop): void => void stops.push(stop);
const onFault = (fault: unknown): void => void faults.push(String(fault));

// A slow machine must not look like an agent that pauses.
performance.now = () => Date.UTC(2030, 0) + input.step * 1000 - performance.timeOrigin;

const script = loopScript().slice(input.asked);
const step = (options: object): Promise<StepReport> =>
  takeStep(input.state, { options: { ...options, onStop, onFault }, tool: tools[0]!, script });

let guard = input.guard;
const store = guardStore({ ...QUICK, onFault, load: () => guard, save: (_run, saved) => (guard = saved) });
const report = await (input.storedIn === "host" ? step(QUICK) : store.use("run", (kept) => step({ guard: kept })));
const output: StepOutput = { ...report, guard, executed: executed.length, stops, faults };
process.stdout.write(`\n${JSON.stringify(output)}`, () => process.exit(0));
