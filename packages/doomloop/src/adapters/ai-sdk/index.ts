export { BlockedCall, isBlockedCall } from "../host/blocked-call.ts";
export type { HostDowngrade, HostOptions, HostStop } from "../host/host-options.ts";
export { type Guarded, guarded } from "./guarded.ts";
export type { GuardableSettings } from "./settings.ts";
