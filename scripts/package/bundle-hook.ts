import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { packageHome } from "./manifest.ts";

/** The program that coding agents start at every event, below `dist`. */
export const HOOK_PROGRAM = "./dist/cli/hook/main.cjs";

/**
 * Bundles the hook in the format that Node begins with, small, and without imports of other programs' files: every event of an agent waits
 * for it. Beside the program lies the file that it lets Node keep compiled. Returns the files that went into them.
 */
export async function bundleHook(folder = join(packageHome, dirname(HOOK_PROGRAM))): Promise<readonly string[]> {
  const bundle = await rolldown({
    cwd: packageHome,
    input: { main: "src/cli/hook/main.ts" },
    platform: "node",
    external: [/^node:/],
    onLog(level, { message }) {
      if (level === "warn") throw new Error(`bundle-hook: ${message}`);
    },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name].cjs",
    minify: true,
    comments: { legal: true },
  });
  await bundle.close();
  return output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
}
