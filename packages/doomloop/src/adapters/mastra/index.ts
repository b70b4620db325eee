export type { HostDowngrade, HostOptions, HostStop } from "../host/host-options.ts";
export type { GuardableConfig } from "./config.ts";
export { guarded } from "./guarded.ts";
