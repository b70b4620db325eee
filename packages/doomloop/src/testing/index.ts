export { assertGuarded } from "./assert-guarded.ts";
export { call, decisionsOf, failure, result, round, step, text, times, user } from "./events.ts";
export { assertFleetStore } from "./fleet-store-contract.ts";
export { createRepeatingRun, type RepeatingRun } from "./repeating-run.ts";
