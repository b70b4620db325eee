import { readFileSync } from "node:fs";
import { packageFolder } from "./package-folder.ts";

/** The version of this package. */
export function packageVersion(): string {
  const file = readFileSync(new URL("package.json", packageFolder), "utf8");
  return (JSON.parse(file) as { version: string }).version;
}
