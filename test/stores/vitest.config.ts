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
    // Servers share the machine's few cores, and swarms are processes of their own, which mostly wait.
    fileParallelism: false,
    maxConcurrency: 3,
    // Services and swarms run from the source: what Node has read once, it need not read for each.
    env: { NODE_COMPILE_CACHE: resolve(root, "node_modules/.cache/doomloop-tests") },
    // Only for tests that hang: a slow machine is no reason to fail.
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    // If a fault interrupts a redirect of a Cluster, ioredis throws where nobody can catch it.
    onUnhandledError: ({ message = "" }) => (message.startsWith("Invalid node key ") ? false : undefined),
    reporters: process.env.CI ? ["minimal"] : ["default"],
  },
});
