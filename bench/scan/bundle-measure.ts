import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { packageHome, runtimePackages } from "../../scripts/package/manifest.ts";

/**
 * Bundles what measures as the package is bundled, and returns the file: stripping types in every process is not what is
 * measured. It lies inside the package, whose prices and worker it finds there.
 */
export async function bundleMeasure(): Promise<string> {
  const file = join(packageHome, "node_modules/.cache/doomloop-bench/measure.js");
  const bundle = await rolldown({
    input: fileURLToPath(new URL("./measure.ts", import.meta.url)),
    platform: "node",
    external: [/^node:/, ...runtimePackages()],
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}
