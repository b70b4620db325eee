export { BlockedCall, isBlockedCall } from "../../host/host-errors.ts";
export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { guardMessages, type MessagesGuard } from "./guard-messages.ts";
export { type Guarded, guardRunner } from "./guard-runner.ts";
export { guardTools } from "./guard-tool.ts";
