export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { loopGuard, loopStop } from "./loop-guard.ts";
export type { LoopGuardPlugin } from "./plugin.ts";
