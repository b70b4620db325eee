export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { guard } from "./guard.ts";
export { loopStop } from "./run-end.ts";
