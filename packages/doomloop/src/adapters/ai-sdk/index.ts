export { BlockedCall, isBlockedCall } from "../../host/host-errors.ts";
export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export { type GuardedOptions, guarded } from "./guarded.ts";
export { loopStop, type StepsLike, type StreamedStepsLike } from "./loop-stop.ts";
export type { GuardableSettings } from "./settings.ts";
