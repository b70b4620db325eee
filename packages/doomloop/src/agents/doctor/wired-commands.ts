import { basename } from "node:path";
import { listOf, recordOf } from "../../transcripts/foreign-value.ts";
import { commandInScript } from "../cline/cline-script.ts";
import type { HookHost } from "../hook/dialect.ts";
import { callInModule } from "../opencode/plugin-module.ts";
import { isOwnCommand } from "../settings/hook-command.ts";
import type { Receipt } from "../settings/receipts.ts";
import { readSettings, textOfSettings } from "../settings/settings-file.ts";
import { ownCommands } from "../settings/shared-hooks.ts";

/** In place of an event: the agent loads the file, and tells it of all of them. */
export const PLUGIN = "plugin";

/** A command of ours that stands in an agent's settings. */
export interface WiredCommand {
  readonly event: string;
  readonly command: string;
  readonly file: string;
}

/** The commands of ours that stand in a file now. Throws a `UsageError` for a file that cannot be read. */
export function wiredCommands(
  { host, path }: Pick<Receipt, "host" | "path">,
  platform: NodeJS.Platform,
): readonly WiredCommand[] {
  const text = textOfSettings(readSettings(path)) ?? "";
  return commandsIn(text, host, path, platform).map((wired) => ({ ...wired, file: path }));
}

function commandsIn(
  text: string,
  host: HookHost,
  path: string,
  platform: NodeJS.Platform,
): readonly { readonly event: string; readonly command: string }[] {
  if (host === "cline") {
    const command = commandInScript(text);
    return command === undefined ? [] : [{ event: basename(path), command }];
  }
  if (host === "opencode") {
    const command = callInModule(text);
    return command === undefined ? [] : [{ event: PLUGIN, command }];
  }
  if (host !== "copilot-cli") return ownCommands(text, platform === "win32" ? "commandWindows" : "command");
  const hooks = recordOf(recordOf(parsed(text))?.hooks) ?? {};
  return Object.entries(hooks).flatMap(([event, handlers]) =>
    listOf(handlers).flatMap((handler) => {
      const command = recordOf(handler)?.[platform === "win32" ? "powershell" : "bash"];
      return isOwnCommand(command) ? [{ event, command: command as string }] : [];
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
