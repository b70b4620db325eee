import { fileURLToPath } from "node:url";
import { packageFolder } from "../system/package-folder.ts";

/** Made-up sessions that come with the package, for whoever has none of their own yet. */
export function samplePath(): string {
  return fileURLToPath(new URL("assets/sample", packageFolder));
}
