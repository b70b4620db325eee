export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export { type CallIn, type Observed, type ObserveMessages, observeMessages } from "./observe-messages.ts";
