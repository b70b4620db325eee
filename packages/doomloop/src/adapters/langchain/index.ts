export { isLoopStopError, LoopStopError } from "../../host/host-errors.ts";
export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { type GuardedToolNode, guardToolNode } from "./guard-tool-node.ts";
export { type LoopGuard, type LoopGuardOptions, loopGuard } from "./loop-guard.ts";
export { loopStop } from "./loop-stop.ts";
