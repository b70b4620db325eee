export type { Checkpoint, LeftOutSummary } from "./checkpoint.ts";
export type { KeptFile, LeftFile, RestoredFile, RestoreReport } from "./restore-report.ts";
export { type Attempts, startOver } from "./start-over.ts";
export { type DeadEndQuote, type StartOverOptions, startOverMessage } from "./start-over-message.ts";
export { createWorkspace, type RestoreOptions, type Workspace } from "./workspace.ts";
export type { WorkspaceOptions } from "./workspace-options.ts";
