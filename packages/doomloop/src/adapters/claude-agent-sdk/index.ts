export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { type LoopHooks, loopHooks } from "./loop-hooks.ts";
