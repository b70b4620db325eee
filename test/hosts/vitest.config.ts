import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");
const source = resolve(root, "packages/doomloop/src");

/** Tests against real frameworks, which `npm run test:hosts` installs. They read the source, so no build is needed. */
export default defineConfig({
  root,
  resolve: {
    alias: [
      { find: /^doomloop$/, replacement: `${source}/index.ts` },
      { find: /^doomloop\/(fleet|telemetry|testing)$/, replacement: `${source}/$1/index.ts` },
      { find: /^doomloop\/([\w-]+)$/, replacement: `${source}/adapters/$1/index.ts` },
    ],
  },
  test: {
    include: ["test/hosts/*/**/*.test.ts"],
    testTimeout: 60_000,
    reporters: process.env.CI ? ["minimal"] : ["default"],
  },
});
