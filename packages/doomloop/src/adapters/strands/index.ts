export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export { loopStop, type ResultLike } from "./hooks.ts";
export { type LoopGuardPlugin, loopGuard } from "./loop-guard.ts";
export type { StrandsPackage } from "./strands-package.ts";
