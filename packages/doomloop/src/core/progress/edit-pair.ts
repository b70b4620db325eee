import { type Digest, digestOf, digestOfAll } from "../identity/digest.ts";
import { firstText, textField } from "./fields.ts";

const PAIRS = [
  ["old_string", "new_string"],
  ["old_str", "new_str"],
  ["oldString", "newString"],
  ["oldText", "newText"],
  ["old_text", "new_text"],
  ["old", "new"],
  ["search", "replace"],
  ["find", "replace"],
] as const;

/** The identity that an edit shares with its own reverse; undefined for a call that does not replace one text by another. */
export function editPair(args: unknown): Digest | undefined {
  if (typeof args !== "object" || args === null) return undefined;
  const fields = args as Readonly<Record<string, unknown>>;
  for (const [before, after] of PAIRS) {
    const old = textField(fields, before);
    const replacement = textField(fields, after);
    if (old === undefined || replacement === undefined) continue;
    const path = firstText(fields, ["path", "file_path", "filePath"]) ?? "";
    return digestOfAll(path, ...[digestOf(old), digestOf(replacement)].sort());
  }
  return undefined;
}
