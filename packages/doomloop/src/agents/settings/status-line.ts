import { addChild, removeChild } from "./edit-json-text.ts";
import { isOwnCommand } from "./hook-command.ts";
import { childOf, parseJsonText } from "./parse-json-text.ts";

const NAME = "statusLine";

/** Adds a status line to settings; undefined where there is one already: that is somebody's, and there is room for one only. */
export function addStatusLine(text: string, command: string): string | undefined {
  const root = parseJsonText(text);
  if (root?.type !== "object" || childOf(root, NAME) !== undefined) return undefined;
  return addChild(text, root, NAME, { type: "command", command });
}

/** The command of a status line that is ours. */
export function ownStatusLine(text: string): string | undefined {
  const { value } = childOf(childOf(parseJsonText(text), NAME), "command") ?? {};
  return isOwnCommand(value) ? (value as string) : undefined;
}

/** Takes a status line out that is ours. */
export function removeStatusLine(text: string): string {
  const root = parseJsonText(text);
  const line = childOf(root, NAME);
  return root === undefined || line === undefined || ownStatusLine(text) === undefined
    ? text
    : removeChild(text, root, line);
}
