export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { guardClient } from "./guard-client.ts";
