export { type DeadEndQuote, type StartOverOptions, startOverMessage } from "../core/messages/start-over.ts";
export type { Checkpoint, LeftOutSummary } from "./checkpoint.ts";
export type { KeptFile, LeftFile, RestoredFile, RestoreReport } from "./restore-report.ts";
export { type Attempts, startOver } from "./start-over.ts";
export { createWorkspace, type RestoreOptions, type Workspace } from "./workspace.ts";
export type { WorkspaceOptions } from "./workspace-options.ts";
