import type { QuickOrder, QuickSource } from "../quick/quick-run.ts";
import { measureReactions } from "../reactions/measure-reactions.ts";
import { measureSteadiness } from "../steadiness/measure-steadiness.ts";
import type { Instrument } from "./instruments/instrument.ts";
import { plainLoopsInstrument } from "./instruments/plain-loops.ts";
import { honestReactionsInstrument, seriesInstrument, stuckReactionsInstrument } from "./instruments/reactions.ts";
import { rewordedInstrument } from "./instruments/reworded.ts";
import { steadinessInstrument } from "./instruments/steadiness.ts";
import { type GuardChoice, loadGuard } from "./load-guard.ts";
import { askWorkers } from "./worker-pool.ts";

/** The instruments whose agents live on after what was recorded: they know nothing of a guard but its interface. */
export async function measureLive(everyday: readonly string[], choice: GuardChoice): Promise<Instrument[]> {
  const script = new URL("../quick/quick-worker.ts", import.meta.url);
  const orders = everyday.map(
    (path): QuickOrder => ({
      path,
      kind: "everyday",
      labelled: [],
      oneIn: 1,
      variant: "tools renamed, answers reworded",
    }),
  );
  const reworded = await askWorkers<QuickOrder, QuickSource>(script, choice, orders);
  const { honest, stuck } = await measureReactions(everyday, choice);
  const createGuard = await loadGuard(choice);
  return [
    rewordedInstrument(reworded.flatMap(({ runs }) => runs)),
    plainLoopsInstrument(createGuard),
    steadinessInstrument(measureSteadiness(createGuard)),
    honestReactionsInstrument(honest),
    stuckReactionsInstrument(stuck),
    seriesInstrument(createGuard),
  ].filter(({ size }) => size > 0);
}
