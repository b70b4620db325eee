export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export type { AgentLike } from "./agent.ts";
export type { ExitBehavior } from "./call-watch.ts";
export { type GuardAgentOptions, guardAgent } from "./guard-agent.ts";
export { guardState, type StateLike } from "./guard-state.ts";
export { loopStop } from "./run-end.ts";
