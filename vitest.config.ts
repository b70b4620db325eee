import { defineConfig } from "vitest/config";
import { SlowestFirst } from "./test/slowest-first.ts";
import { sourceAliases } from "./test/source-aliases.ts";

export default defineConfig({
  resolve: { alias: sourceAliases },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts"],
    // Real frameworks are installed and tried by `npm run test:hosts`, stores by `test:stores`, a browser by `test:viewer`.
    exclude: ["**/node_modules/**", "test/hosts/**", "test/stores/**", "test/viewer/**"],
    setupFiles: ["test/property-seed.ts"],
    sequence: { sequencer: SlowestFirst },
    // Properties run far more often in CI: see DOOMLOOP_PROPERTY_RUNS.
    testTimeout: process.env.DOOMLOOP_PROPERTY_RUNS ? 900_000 : 20_000,
    reporters: process.env.CI ? ["minimal"] : ["default"],
    typecheck: {
      enabled: true,
      include: ["packages/*/src/**/*.test-d.ts", "test/**/*.test-d.ts"],
      exclude: ["**/node_modules/**", "test/hosts/**"],
      tsconfig: "tsconfig.json",
      ignoreSourceErrors: true,
    },
    coverage: {
      provider: "v8",
      include: ["packages/doomloop/src/**/*.ts"],
      exclude: ["**/*.test.ts", "**/*.test-d.ts", "**/*.d.ts"],
      reporter: ["text-summary", "html"],
    },
  },
});
