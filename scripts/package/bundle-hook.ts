import { basename, dirname, join } from "node:path";
import { type InputOptions, type OutputChunk, type Plugin, rolldown } from "rolldown";
import type { BundledFile } from "./bundled-packages.ts";
import { packageHome } from "./manifest.ts";

/** The program that coding agents start at every event, below `dist`. */
export const HOOK_PROGRAM = "./dist/agents/hook-program/main.cjs";

/**
 * Bundles the hook in the format that Node begins with, small, and without imports of other programs' files: every event of an agent waits
 * for it. Beside the program lies the file of which it keeps what V8 compiled; its name tells its content. What few events need is a file
 * of its own, and shares nothing with the others that they would have to load for it. Returns what went into each.
 */
export async function bundleHook(folder = join(packageHome, dirname(HOOK_PROGRAM))): Promise<readonly BundledFile[]> {
  const followUp = await bundle("src/agents/hook-program/run-follow-up.ts", join(folder, "[name].cjs"));
  const program = await bundle("src/agents/hook-program/run-hook-program.ts", join(folder, "[name]-[hash].cjs"), {
    // The other parts of the agents are left out: src/agents/coding-agent.ts.
    transform: { define: { HOOK_PROGRAM: "true" } },
    plugins: [leftApart("./run-follow-up.ts", `./${followUp.fileName}`)],
  });
  const main = await bundle("src/agents/hook-program/main.ts", join(folder, "[name].cjs"), {
    external: [/^node:/, /run-hook-program/],
    transform: { define: { PROGRAM_FILE: JSON.stringify(program.fileName) } },
  });
  return [followUp, program, main].map(({ fileName, moduleIds }) => ({
    file: `${dirname(HOOK_PROGRAM).slice(2)}/${fileName}`,
    modules: moduleIds,
  }));
}

/** A module that is another bundle. */
function leftApart(module: string, file: string): Plugin {
  return { name: "left-apart", resolveId: (id) => (id === module ? { id: file, external: "relative" } : undefined) };
}

async function bundle(input: string, file: string, more: InputOptions = {}): Promise<OutputChunk> {
  const bundle = await rolldown({
    cwd: packageHome,
    input,
    platform: "node",
    external: [/^node:/],
    onLog(level, { message }) {
      if (level === "warn") throw new Error(`bundle-hook: ${message}`);
    },
    ...more,
  });
  const { output } = await bundle.write({
    dir: dirname(file),
    format: "cjs",
    entryFileNames: basename(file),
    dynamicImportInCjs: false,
    minify: true,
    comments: { legal: true },
  });
  await bundle.close();
  return output[0];
}
