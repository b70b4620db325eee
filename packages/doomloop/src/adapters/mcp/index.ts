export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export type { ClientLike } from "./client-like.ts";
export { guardClient } from "./guard-client.ts";
