export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { type ObserveMessages, observeMessages } from "./observe-messages.ts";
