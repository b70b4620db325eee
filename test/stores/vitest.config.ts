import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { sourceAliases } from "../source-aliases.ts";

const root = resolve(import.meta.dirname, "../..");

/** Tests against real servers and real clients, which `npm run test:stores` installs. They read the source. */
export default defineConfig({
  root,
  resolve: { alias: sourceAliases },
  test: {
    include: ["test/stores/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    // Servers share the machine's few cores: one file at a time, so that deadlines measure the store and not the neighbours.
    fileParallelism: false,
    // Drills wait most of the time, each with four fleets in this one process.
    maxConcurrency: 8,
    // Against hanging only: a slow machine is no reason to fail.
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    // A redirect of a Cluster that a fault has cut short: ioredis throws where nobody can catch it.
    onUnhandledError: ({ message = "" }) => (message.startsWith("Invalid node key ") ? false : undefined),
    reporters: process.env.CI ? ["minimal"] : ["default"],
  },
});
