export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export { loopGuard } from "./loop-guard.ts";
export { loopStop } from "./loop-stop.ts";
export type { LoopGuardPlugin } from "./plugin.ts";
