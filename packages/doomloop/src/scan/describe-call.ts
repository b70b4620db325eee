import { readArguments } from "../core/identity/call-arguments.ts";
import { textField } from "../core/progress/fields.ts";
import { shellCommand } from "../core/progress/shell-command.ts";
import { knownCommand } from "./known-command.ts";
import { plainFileName } from "./plain-file-name.ts";
import { shownTool } from "./shown-tool.ts";

const PATH_FIELDS = [
  "path",
  "file_path",
  "filePath",
  "filename",
  "file",
  "absolute_path",
  "notebook_path",
  "target_file",
  "relative_workspace_path",
];
const MAX_PATH = 1024;

/**
 * A call in a few words that give nothing away: the tool, and a file, program or command of a program's that anybody could guess. All that
 * is shown of the arguments is a name from a list of ours, or one that is made of words and ends as files do.
 */
export function describeCall(tool: string, args: unknown): string {
  const name = shownTool(tool);
  const value = readArguments(args);
  const command = shellCommand(tool, value);
  const about = command === undefined ? fileOf(value) : knownCommand(command);
  return about === undefined ? name : `${name} ${about}`;
}

function fileOf(args: unknown): string | undefined {
  if (typeof args !== "object" || args === null) return undefined;
  for (const field of PATH_FIELDS) {
    const path = textField(args as Readonly<Record<string, unknown>>, field);
    if (path) return plainFileName(path.slice(-MAX_PATH));
  }
  return undefined;
}
