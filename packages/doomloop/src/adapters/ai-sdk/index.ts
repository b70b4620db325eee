export { BlockedCall, isBlockedCall } from "../host/blocked-call.ts";
export type { HostDowngrade, HostOptions, LoopStop } from "../host/host-options.ts";
export { type Guarded, guarded } from "./guarded.ts";
export type { GuardableSettings } from "./settings.ts";
