export { type AssertGuardedOptions, assertGuarded } from "./assert-guarded.ts";
export { call, decisionsOf, failure, result, round, step, text, times, user } from "./events.ts";
export { assertFleetStore } from "./fleet-store-contract.ts";
export {
  createRepeatingRun,
  type GuardSigns,
  type RepeatedCall,
  type RepeatingRun,
  type RepeatingRunOptions,
} from "./repeating-run.ts";
