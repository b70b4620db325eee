import { rolldown } from "rolldown";
import { packageHome } from "../../../scripts/package/manifest.ts";

/** Bundles the plugin into one file, since opencode does not read our source. The package ships it with the files that all its parts share. */
export async function bundlePlugin(file: string): Promise<void> {
  const bundle = await rolldown({
    cwd: packageHome,
    input: "src/cli/opencode/plugin.ts",
    platform: "node",
    external: [/^node:/],
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
}
