export { isBlockedCall } from "../../host/host-errors.ts";
export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { type AiSdkOptions, guard } from "./guard.ts";
export { loopStop } from "./loop-stop.ts";
