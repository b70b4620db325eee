import { globSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/** Declarations keep the `.ts` of relative imports, which some editors do not follow: makes it `.js`, as in the code beside. */
const dist = resolve(import.meta.dirname, "../packages/doomloop/dist");

for (const file of globSync("**/*.d.ts", { cwd: dist })) {
  const path = resolve(dist, file);
  const text = readFileSync(path, "utf8");
  const fixed = text.replaceAll(/((?:from |import\()"\.{1,2}\/[^"]+)(?<!\.d)\.ts"/g, '$1.js"');
  if (fixed !== text) writeFileSync(path, fixed);
}
