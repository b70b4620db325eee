import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");
const source = resolve(root, "packages/doomloop/src");

/** Tests against real servers and real clients, which `npm run test:stores` installs. They read the source. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^doomloop$/, replacement: `${source}/index.ts` },
      { find: /^doomloop\/(fleet|testing)$/, replacement: `${source}/$1/index.ts` },
    ],
  },
  test: {
    include: ["test/stores/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // Servers share the machine's few cores: one file at a time, so that deadlines measure the store and not the neighbours.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ["minimal"] : ["default"],
  },
});
