export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { type GuardAgentOptions, guardAgent } from "./guard-agent.ts";
export { guardState } from "./guard-state.ts";
export { loopStop } from "./run-end.ts";
