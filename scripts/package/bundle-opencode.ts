import { join } from "node:path";
import { rolldown } from "rolldown";
import { packageHome } from "./manifest.ts";

/** The plugin for opencode, below `dist`. */
const PLUGIN = "dist/cli/opencode/plugin.js";

/** Bundles the plugin for opencode, which reads it with a runtime of its own: one file. Returns the files that went into it. */
export async function bundleOpencode(file = join(packageHome, PLUGIN)): Promise<readonly string[]> {
  const bundle = await rolldown({
    cwd: packageHome,
    input: "src/cli/opencode/plugin.ts",
    platform: "node",
    external: [/^node:/],
    onLog(level, { message }) {
      if (level === "warn") throw new Error(`bundle-opencode: ${message}`);
    },
  });
  const { output } = await bundle.write({ file, format: "esm", codeSplitting: false, comments: { legal: true } });
  await bundle.close();
  return output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
}
