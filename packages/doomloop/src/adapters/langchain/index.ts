export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { guard } from "./guard.ts";
export type { GuardedToolNode } from "./guard-tool-node.ts";
export { loopStop } from "./loop-stop.ts";
export type { GuardedAgentOptions } from "./middleware.ts";
