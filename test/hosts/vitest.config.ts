import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { sourceAliases } from "../source-aliases.ts";

const root = resolve(import.meta.dirname, "../..");

/** Tests against real frameworks, which `npm run test:hosts` installs. They read the source, so no build is needed. */
export default defineConfig({
  root,
  resolve: { alias: sourceAliases },
  test: {
    include: ["test/hosts/*/**/*.test.ts"],
    testTimeout: 60_000,
    reporters: process.env.CI ? ["minimal"] : ["default"],
  },
});
