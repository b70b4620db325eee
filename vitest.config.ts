import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/slowest-first.ts";
import { sourceAliases } from "./test/source-aliases.ts";

export default defineConfig({
  resolve: { alias: sourceAliases },
  test: {
    include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts", "test/**/*.test.ts"],
    // Real frameworks are installed and tried by `npm run test:hosts`, stores by `test:stores`, a browser by `test:viewer`.
    exclude: ["**/node_modules/**", "test/hosts/**", "test/stores/**", "test/viewer/**"],
    globalSetup: ["test/build-page.ts"],
    setupFiles: ["test/property-seed.ts"],
    // Most of a short command would be the stripping of types, the same each time.
    env: { NODE_COMPILE_CACHE: resolve(import.meta.dirname, "node_modules/.cache/doomloop-tests") },
    sequence: { sequencer: SlowestFirst },
    // No file changes what others see (no mocks of modules, no stubs of globals), so workers keep what they have loaded.
    isolate: false,
    maxWorkers: availableParallelism(),
    // Against hanging only: a slow machine, or properties that run often, are no reason to fail.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 120_000 } },
    reporters: process.env.CI ? ["minimal"] : ["default"],
    coverage: {
      provider: "v8",
      include: ["packages/doomloop/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-d.ts", "**/*.d.ts"],
      reporter: ["text-summary", "html"],
    },
  },
});
