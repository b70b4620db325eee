export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export type { GuardableConfig } from "./config.ts";
export { guarded } from "./guarded.ts";
export { loopStop } from "./run-end.ts";
