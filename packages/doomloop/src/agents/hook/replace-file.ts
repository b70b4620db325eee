import { renameSync, writeFileSync } from "node:fs";

/** Replaces a file, which only its owner can read. A process that reads at the same time gets the old content or the new. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, content, { mode: 0o600, flag: "wx" });
  renameSync(beside, path);
}
