export type { CountRules } from "./count-rules.ts";
export { createCountingGuard } from "./create-counting-guard.ts";
