import type { FileRecord } from "./run-record.ts";

/** How to scan, as plain data that a worker can be given. */
export interface ScanOrder {
  readonly preset: string | undefined;
  /** A file with options of a guard, which may hold functions: each thread loads it itself. */
  readonly config: string | undefined;
  readonly readerModules: readonly string[];
  readonly format: string | undefined;
  readonly hasCosts: boolean;
  readonly includesContent: boolean;
}

export type WorkerMessage = { readonly type: "file"; readonly path: string } | { readonly type: "stop" };

export type WorkerAnswer =
  | { readonly type: "progress"; readonly bytes: number }
  | { readonly type: "done"; readonly record: FileRecord; readonly isWhole: boolean };
