import { readFileSync } from "node:fs";
import type { Mechanism } from "./mechanisms.ts";
import { corePath } from "./replace-functions.ts";

/** How many lines of core a mechanism takes, doc comments included. Throws if one of its places is not there. */
export function linesOf({ takes }: Pick<Mechanism, "takes">): number {
  return takes.reduce((sum, place) => sum + linesAt(place), 0);
}

function linesAt(place: string): number {
  const [file = "", name] = place.split("#");
  const lines = readFileSync(corePath(file), "utf8").trimEnd().split("\n");
  if (name === undefined) return lines.length;
  const declaration = new RegExp(`^( *)(?:(?:export )?function\\*?|const) ${name}\\b`);
  const start = lines.findIndex((line) => declaration.test(line));
  if (start < 0) throw new Error(`${file} has no function ${name}`);
  const [, indent] = declaration.exec(lines[start]!)!;
  const end = lines.findIndex((line, at) => at > start && (line === `${indent}}` || line === `${indent}};`));
  let comment = start;
  while (/^ *(?:\/\*\*|\*)/.test(lines[comment - 1] ?? "")) comment--;
  return end + 1 - comment;
}
