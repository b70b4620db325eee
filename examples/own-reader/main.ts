/**
 * A reader for transcripts of an agent that doomloop does not know. Runs offline.
 *
 * The same reader serves the command line: `doomloop scan --reader my-reader.ts runs.jsonl`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createGuard } from "doomloop";
import { findReader, readers, readTranscript } from "doomloop/transcripts";
import { reader } from "./my-reader.ts";

const folder = mkdtempSync(join(tmpdir(), "own-reader-"));
const path = join(folder, "runs.jsonl");
const steps = Array.from({ length: 6 }, () => ({
  run: "a",
  tool: "read_file",
  args: { path: "src/app.ts" },
  output: "start();",
}));
writeFileSync(path, steps.map((step) => `${JSON.stringify(step)}\n`).join(""));

try {
  console.log("read by:", findReader(path, [reader, ...readers])?.label);
  const guard = createGuard();
  await readTranscript(path, reader, {
    session: (run) => console.log("run:", run),
    event: (_run, event) => console.log(event.type, guard.observe(event).action),
    usage: () => {},
    end: () => console.log("decisions:", guard.stats().decisions),
  });

  const module = fileURLToPath(new URL("my-reader.ts", import.meta.url));
  const words = ["--no-install", "doomloop", "scan", "--no-cache", "--reader", module, path];
  const summary = execFileSync("npx", words, { encoding: "utf8" });
  console.log(summary);
  if (!summary.includes("The only session went in circles")) throw new Error("the loop was not found");
} finally {
  rmSync(folder, { recursive: true });
}
