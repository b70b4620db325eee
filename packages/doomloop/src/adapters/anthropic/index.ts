export { BlockedCall, isBlockedCall } from "../../host/host-errors.ts";
export type { HostDowngrade, HostOptions, LoopStop } from "../../host/host-options.ts";
export { type BlockedResult, guardMessages, type MessagesGuard } from "./guard-messages.ts";
export { type Guarded, guardRunner } from "./guard-runner.ts";
export { guardTools } from "./guard-tool.ts";
