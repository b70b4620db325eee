import { isOwnCommand } from "../settings/hook-command.ts";

const NOTE = "// Written by doomloop init; doomloop uninstall removes it.\n";
const BEGIN = `${NOTE}export const doomloop = async (input) => {
  try {
    return await `;
// Without the package, the agent goes on as if this file were not there.
const END = `(input);
  } catch {
    return {};
  }
};
`;

/** The module that opencode loads. What it calls lies in the package, so that an update of that is one of the plugin. */
export function pluginModule(call: string): string {
  return `${BEGIN}${call}${END}`;
}

/** The call in such a module; undefined for a module of somebody else. */
export function callInModule(text: string): string | undefined {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
  const call = text.slice(BEGIN.length, -END.length);
  return isOwnCommand(call) ? call : undefined;
}
