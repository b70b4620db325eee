export type { HostDowngrade, HostOptions, HostStop } from "../host/host-options.ts";
export { type LoopGuardPlugin, loopGuard } from "./loop-guard.ts";
export type { StrandsPackage } from "./strands-package.ts";
