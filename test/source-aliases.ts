import { resolve } from "node:path";

const source = resolve(import.meta.dirname, "../packages/doomloop/src");

/** Import paths of the package, led to its source: tests need no build. */
export const sourceAliases = [
  { find: /^doomloop$/, replacement: `${source}/index.ts` },
  { find: /^doomloop\/(counting|fleet|opinion|telemetry|testing|workspace)$/, replacement: `${source}/$1/index.ts` },
  { find: /^doomloop\/transcripts$/, replacement: `${source}/scan/transcripts.ts` },
  { find: /^doomloop\/([\w-]+)$/, replacement: `${source}/adapters/$1/index.ts` },
];
