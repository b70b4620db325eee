export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { guard, loopStop, type Observe } from "./guard.ts";
