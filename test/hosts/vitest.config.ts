import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "../slowest-first.ts";
import { sourceAliases } from "../source-aliases.ts";

const root = resolve(import.meta.dirname, "../..");

/** Tests against real frameworks, which `npm run test:hosts` installs. They read the source; coding agents and the programs of pages read the build. */
export default defineConfig({
  root,
  resolve: { alias: sourceAliases },
  test: {
    include: ["test/hosts/*/**/*.test.ts"],
    maxWorkers: availableParallelism(),
    // Frameworks are large: what Node has compiled once, it need not compile for each process.
    env: { NODE_COMPILE_CACHE: resolve(root, "node_modules/.cache/doomloop-tests") },
    sequence: { sequencer: SlowestFirst },
    // Against hanging only: a slow machine is no reason to fail.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: process.env.CI ? ["minimal"] : ["default"],
  },
});
