import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plan } from "./plan.ts";

/**
 * Writes what is planned. Throws, and has written nothing, if a file is there already or a list has no place for a line.
 */
export function carryOutPlan(root: string, { files, edits }: Plan): { written: string[]; changed: string[] } {
  const taken = Object.keys(files).find((path) => existsSync(join(root, path)));
  if (taken !== undefined) throw new Error(`new: ${taken} is there already, and nothing is overwritten`);
  const changes = edits.map(({ path, apply }) => ({ path, text: apply(readFileSync(join(root, path), "utf8")) }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    // `wx` refuses to overwrite, also what came in between.
    writeFileSync(join(root, path), text, { flag: "wx" });
  }
  for (const { path, text } of changes) writeFileSync(join(root, path), text);
  return { written: Object.keys(files), changed: changes.map(({ path }) => path) };
}
