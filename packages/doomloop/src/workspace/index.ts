export type { Checkpoint, LeftOutSummary } from "./checkpoint-store.ts";
export type { KeptFile, LeftFile, RestoredFile, RestoreReport } from "./restore-report.ts";
export { type Attempts, startOver } from "./run-attempts.ts";
export { type DeadEndQuote, type StartOverOptions, startOverMessage } from "./start-over-message.ts";
export { createWorkspace, type RestoreOptions, type Workspace } from "./workspace.ts";
export type { WorkspaceOptions } from "./workspace-options.ts";
