export type { HostOptions, LoopStop } from "../../host/host-options.ts";
export { guarded } from "./guarded.ts";
export { loopStop } from "./run-end.ts";
