export type { HostDowngrade, HostOptions, HostStop } from "../host/host-options.ts";
export { type CallIn, type Observed, type ObserveMessages, observeMessages } from "./observe-messages.ts";
