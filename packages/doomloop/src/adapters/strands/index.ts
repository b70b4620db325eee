export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export { type LoopGuardPlugin, loopGuard } from "./loop-guard.ts";
export { loopStop, type ResultLike } from "./loop-stop.ts";
export type { StrandsPackage } from "./strands-package.ts";
