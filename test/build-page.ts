import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Builds the report page in a clone that was not built yet: commands that are tried here put it into their reports. */
export function setup(): void {
  if (existsSync(resolve(root, "packages/doomloop/assets/report.html"))) return;
  const vite = resolve(root, "node_modules/vite/bin/vite.js");
  const words = ["build", "packages/viewer", "--config", "packages/viewer/vite.config.ts", "--logLevel", "error"];
  execFileSync(process.execPath, [vite, ...words], { cwd: root, stdio: "inherit" });
}
