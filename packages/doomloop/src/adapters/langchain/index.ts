export type { HostDowngrade, HostOptions, LoopStop } from "../host/host-options.ts";
export { type GuardedToolNode, guardToolNode } from "./guard-tool-node.ts";
export { type LoopGuard, loopGuard } from "./loop-guard.ts";
