export type { HostDowngrade, HostOptions, HostStop } from "../host/host-options.ts";
export type { ClientLike } from "./client-like.ts";
export { guardClient } from "./guard-client.ts";
