export { type Attempts, startOver, startOverMessage } from "./start-over.ts";
export type { Checkpoint } from "./store.ts";
export { createWorkspace, type RestoreReport, type Workspace, type WorkspaceOptions } from "./workspace.ts";
