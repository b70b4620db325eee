import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SAMPLE_FOLDER, sampleFiles } from "./sample/sample-files.ts";

/** Writes the made-up sessions that `doomloop scan --sample` reads. */
rmSync(SAMPLE_FOLDER, { recursive: true, force: true });
for (const [name, text] of sampleFiles()) {
  mkdirSync(dirname(join(SAMPLE_FOLDER, name)), { recursive: true });
  writeFileSync(join(SAMPLE_FOLDER, name), text);
}
