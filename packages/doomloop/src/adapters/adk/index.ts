export type { HostDowngrade, HostOptions, HostStop } from "../host/host-options.ts";
export { loopGuard } from "./loop-guard.ts";
export type { LoopGuardPlugin } from "./plugin.ts";
