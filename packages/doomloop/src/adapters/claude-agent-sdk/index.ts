export type { HostDowngrade, HostOptions, HostStop } from "../host/host-options.ts";
export { type LoopHooks, loopHooks } from "./loop-hooks.ts";
