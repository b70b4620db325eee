import { dirname } from "node:path";
import type { Change } from "../../agents/settings/settings-change.ts";
import { ownCommands, ownStatusLine } from "../../agents/settings/shared-hooks.ts";
import { printable } from "../../system/printable.ts";

/** What changes in a few words, such as "adds 9 hooks to ~/.claude/settings.json". `shown` is how a path is shown to a person. */
export function changeSummary(changes: readonly Change[], shown: (path: string) => string): string {
  const folders = new Set(changes.map(({ file }) => dirname(file.path)));
  const deeds = new Set(changes.map(deedOf));
  const [folder = ""] = folders;
  const [deed = ""] = deeds;
  // An agent with a file for each event.
  if (changes.length > 1 && folders.size === 1 && deeds.size === 1 && WHOLE_FILES.has(deed))
    return `${deed} ${changes.length} files in ${printable(shown(folder))}`;
  return changes.map((change) => `${deedOf(change)} ${printable(shown(change.file.path))}`).join(", ");
}

const WHOLE_FILES: ReadonlySet<string> = new Set(["creates", "updates", "deletes"]);

/** The verb, with what is added or removed, to be followed by the path. */
function deedOf({ file, after }: Change): string {
  if (after === undefined) return "deletes";
  const [old, next] = [file.bytes?.toString() ?? "", after.toString()];
  const [before, now] = [ownCommands(old).length, ownCommands(next).length];
  const hasNewLine = ownStatusLine(old) === undefined && ownStatusLine(next) !== undefined;
  const line = hasNewLine ? " and a status line" : "";
  if (before === 0 && now > 0) return `adds ${hooks(now)}${line} to`;
  if (before > 0 && now === 0) return `removes ${hooks(before)} from`;
  if (now > 0) return hasNewLine ? `updates ${hooks(now)} and adds a status line in` : `updates ${hooks(now)} in`;
  return file.bytes === undefined ? "creates" : "updates";
}

function hooks(count: number): string {
  return count === 1 ? "1 hook" : `${count} hooks`;
}
