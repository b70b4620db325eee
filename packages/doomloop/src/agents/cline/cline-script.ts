import { isOwnCommand } from "../settings/hook-command.ts";

const BEGIN = "#!/bin/sh\nanswer=$(";
const END = ")\n[ -n \"$answer\" ] || answer='{}'\nprintf '%s\\n' \"$answer\"\n";

/** The program that Cline starts for an event. Cline wants JSON even where there is nothing to say, and the hook then prints nothing. */
export function clineScript(command: string): string {
  return `${BEGIN}${command}${END}`;
}

/** The command in such a program; undefined for a program of somebody else. */
export function commandInScript(text: string): string | undefined {
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return undefined;
  const command = text.slice(BEGIN.length, -END.length);
  return isOwnCommand(command) && !command.includes("\n") ? command : undefined;
}
