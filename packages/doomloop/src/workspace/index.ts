export type { Checkpoint } from "./checkpoint-store.ts";
export type { RestoreReport } from "./restore-report.ts";
export { type Attempts, startOver } from "./run-attempts.ts";
export { startOverMessage } from "./start-over-message.ts";
export { createWorkspace, type Workspace } from "./workspace.ts";
export type { WorkspaceOptions } from "./workspace-options.ts";
