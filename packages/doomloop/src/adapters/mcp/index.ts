export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export type { ClientLike } from "./guard-client.ts";
export { guardClient } from "./guard-client.ts";
