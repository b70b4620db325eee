import { renameSync, writeFileSync } from "node:fs";

/** Puts a file of ours in the place of another, for its owner only: whoever reads at the same time reads the old one or the new one. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const beside = `${path}.${process.pid}`;
  writeFileSync(beside, content, { mode: 0o600, flag: "wx" });
  renameSync(beside, path);
}
