export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export type { Conversation } from "./conversation.ts";
export { guard } from "./guard.ts";
export { loopStop } from "./loop-stop.ts";
