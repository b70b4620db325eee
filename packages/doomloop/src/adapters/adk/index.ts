export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { guard, loopStop } from "./guard.ts";
