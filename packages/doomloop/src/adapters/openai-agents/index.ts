export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { type GuardedAgentOptions, guard } from "./guard.ts";
export { loopStop } from "./run-end.ts";
