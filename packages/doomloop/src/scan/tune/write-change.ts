import { readSettings, textOfSettings, writeSettings } from "../../agents/settings/settings-file.ts";
import { UsageError } from "../../system/usage-error.ts";
import { mergeOptions } from "./merge-options.ts";

/** A configuration belongs to a project: whoever works on it may read it. */
const NEW_MODE = 0o644;

/** Writes a change into a configuration, or a new one, and keeps all else. Throws a `UsageError` for one that is code. */
export function writeChange(path: string, patch: object): void {
  if (/\.ts$/i.test(path)) throw new UsageError(`${path} is code: add ${JSON.stringify(patch)} to it yourself`);
  const file = readSettings(path);
  const text = textOfSettings(file) || "{}";
  const indent = /\n([ \t]{1,8})\S/.exec(text)?.[1] ?? "  ";
  const merged = mergeOptions(JSON.parse(text) as object, patch);
  const mode = file.bytes === undefined ? NEW_MODE : file.mode;
  writeSettings({ ...file, mode }, Buffer.from(`${JSON.stringify(merged, undefined, indent)}\n`));
}
