import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** Tests of the built page in a real browser, which `npm run test:viewer` installs. One file after the other: they measure. */
export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  test: {
    include: ["test/viewer/**/*.test.ts"],
    // Against hanging only: a slow machine is no reason to fail.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    fileParallelism: false,
    reporters: process.env.CI ? ["minimal"] : ["default"],
  },
});
