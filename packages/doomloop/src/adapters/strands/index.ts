export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { loopStop } from "./hooks.ts";
export { type LoopGuardPlugin, loopGuard } from "./loop-guard.ts";
