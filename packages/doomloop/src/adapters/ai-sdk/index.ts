export { BlockedCall, isBlockedCall } from "../../host/host-errors.ts";
export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { type GuardedOptions, guarded } from "./guarded.ts";
export { loopStop } from "./loop-stop.ts";
