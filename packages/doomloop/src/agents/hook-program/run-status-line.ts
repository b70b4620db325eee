import { join } from "node:path";
import { folderRules } from "../hook/folder-file.ts";
import { statusLine } from "../hook/status-line.ts";
import { readInput } from "./read-input.ts";

/** The line for a session: the text to print. Never throws. */
export async function runStatusLine(input: AsyncIterable<Uint8Array>, state: string): Promise<string> {
  try {
    const value = await readInput(input);
    return statusLine(value, { directory: join(state, "runs"), rulesOf: (folder) => folderRules(state, folder) });
  } catch {
    return "";
  }
}
