export type { LoopStop } from "../../host/host-options.ts";
export { guard, type StrandsOptions } from "./guard.ts";
export { loopStop } from "./hooks.ts";
