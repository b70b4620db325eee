import { homedir } from "node:os";
import { printable } from "../../system/printable.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";

/** Agents that many use and that leave nothing on the disk that can be read here. */
const NOT_READ = "Cursor, Windsurf, Amp, Aider, Zed, Continue, Roo Code";

/** Where nothing was found at the paths that were named. */
export const PATH_HINTS: readonly string[] = ["Is it a transcript? --format names the agent that wrote it."];

/** Where nothing was found on the machine: who was looked for and where, who is not read, and what to try. */
export function machineHints(
  readers: readonly TranscriptReader[],
  tryCommand: string,
  sampleCommand: string,
): readonly string[] {
  const machine = { home: homedir(), env: process.env, platform: process.platform };
  const looked = readers.flatMap((reader) => {
    const [root] = reader.roots(machine);
    return root === undefined ? [] : [`${reader.label} (${fromHome(root, machine.home)})`];
  });
  return [
    `Looked for ${printable(looked.join(", "))}.`,
    `Not read: ${NOT_READ}. What they export as a trace or an OpenTelemetry file can be named.`,
    `Try --last 1y, or name a file or folder: ${tryCommand}`,
    `To see what it finds in made-up sessions: ${sampleCommand}`,
  ];
}

function fromHome(path: string, home: string): string {
  return path.startsWith(home) ? `~${path.slice(home.length)}` : path;
}
