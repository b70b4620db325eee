import { readArguments } from "../../core/identity/call-arguments.ts";
import { toolLabel } from "../../core/identity/tool-label.ts";
import { textField } from "../../core/progress/fields.ts";
import { shellCommand } from "../../core/progress/shell-command.ts";
import { baseName } from "../../core/shell/base-name.ts";

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
const MAX_COMMAND = 1_024;
const MAX_WORD = 40;
/** Words before a program that say how it is run. */
const WRAPPERS = new Set([
  "sudo",
  "env",
  "time",
  "timeout",
  "nohup",
  "nice",
  "npx",
  "bunx",
  "command",
  "exec",
  "xargs",
]);
/** Programs whose next word is a command of theirs. */
const HOSTS = new Set([
  "git",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "cargo",
  "go",
  "docker",
  "kubectl",
  "make",
  "gh",
  "uv",
  "deno",
  "dotnet",
]);
const PLAIN_WORD = /^[A-Za-z][\w:.-]{0,39}$/;
const PROGRAM = /^[\w./+-]{1,200}$/;
const ASSIGNMENT = /^[A-Za-z_]\w{0,60}=/;
const COUNT = /^\d{1,9}[smhd]?$/;

/** A call in a few words that give nothing away: the tool, and the base name of its file or program. */
export function describeCall(tool: string, args: unknown): string {
  const name = toolLabel(tool);
  const value = readArguments(args);
  const command = shellCommand(tool, value);
  const about = command === undefined ? fileOf(value) : programOf(command);
  return about === undefined ? name : `${name} ${about}`;
}

function fileOf(args: unknown): string | undefined {
  if (typeof args !== "object" || args === null) return undefined;
  for (const field of PATH_FIELDS) {
    const path = textField(args as Readonly<Record<string, unknown>>, field);
    if (path === undefined || path === "") continue;
    const plain = path.slice(-MAX_COMMAND).replaceAll("\\", "/");
    return cut(baseName(plain.endsWith("/") ? plain.slice(0, -1) : plain));
  }
  return undefined;
}

/** The program of a command line, with the command or the file that it names first. */
function programOf(command: string): string | undefined {
  const parts = command.slice(0, MAX_COMMAND).split(/&&|\|\||[;\n|]/);
  for (const part of parts) {
    const words = part.trim().split(/\s+/).map(unquoted);
    let at = 0;
    while (at < words.length && isWrapper(words[at]!)) at++;
    const program = words[at];
    if (program === undefined || program === "" || program === "cd" || program === "export" || program === "source")
      continue;
    // What does not look like a program may be anything: a text, a secret.
    if (!PROGRAM.test(program)) return undefined;
    const name = cut(baseName(program));
    const next = words.slice(at + 1).find((word) => !word.startsWith("-"));
    if (next === undefined) return name;
    if (HOSTS.has(name)) return PLAIN_WORD.test(next) ? `${name} ${next}` : name;
    return looksLikeFile(next) ? `${name} ${cut(baseName(next))}` : name;
  }
  return undefined;
}

function isWrapper(word: string): boolean {
  return WRAPPERS.has(word) || ASSIGNMENT.test(word) || COUNT.test(word);
}

function looksLikeFile(word: string): boolean {
  return /^[\w./@+-]{1,200}$/.test(word) && /[./]/.test(word);
}

function unquoted(word: string): string {
  return word.replace(/^["']/, "").replace(/["']$/, "");
}

function cut(text: string): string {
  return text.length > MAX_WORD ? `${text.slice(0, MAX_WORD - 1)}…` : text;
}
