import { statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { listFiles, readText, report, root } from "./repository.ts";
import { wallFaults } from "./walls.ts";

/**
 * Checks what no other tool checks: file names, hosts and paths that belong to one machine, the walls between the
 * folders of the source, the length of its files, and that the folders of core build on each other in one direction.
 */
const source = "packages/doomloop/src/";
const core = `${source}core/`;
const maxBytes = 1_000_000;
const maxLines = 300;

const faults: string[] = [];
/** For each folder of core, the folders that its files import from. */
const coreImports = new Map<string, Set<string>>();
const files = listFiles();

for (const file of files) {
  if (statSync(resolve(root, file)).size > maxBytes) faults.push(`${file}: larger than ${maxBytes} bytes`);
  checkName(file);
  const text = readText(file);
  if (text.includes("\0")) continue;
  checkMachine(file, text);
  if (!file.startsWith(source) || !file.endsWith(".ts")) continue;
  for (const fault of wallFaults(file.slice(source.length), text)) faults.push(fault);
  if (!/\.test(?:-d)?\.ts$/.test(file)) readSource(file, text);
}
for (const folder of coreImports.keys()) checkCircle(folder);

report(faults, `${files.length} files`);

/** A name says what is inside: these say nothing. */
function checkName(file: string): void {
  if (!/^(?:packages|bench|scripts)\//.test(file)) return;
  if (
    /^(?:utils?|helpers?|common|types|misc)\.ts$/.test(basename(file)) ||
    /\/(?:common|utils?|helpers?)\//.test(file)
  ) {
    faults.push(`${file}: a name says what is inside`);
  }
}

function checkMachine(file: string, text: string): void {
  const isLock = basename(file) === "package-lock.json";
  if (isLock && /"resolved": "http/.test(text)) faults.push(`${file}: names a registry's host`);
  if (basename(file) === ".npmrc" && /registry/.test(text.replaceAll("registry-resolved", ""))) {
    faults.push(`${file}: names a registry`);
  }
  const shared = ["/", homedir(), tmpdir(), "/tmp", "/home", "/Users"];
  for (const folder of [root, dirname(root)]) {
    if (shared.includes(folder)) continue;
    const index = text.indexOf(`${folder}/`);
    const isPath = index === 0 || (index > 0 && !/[\w.}/-]/.test(text.charAt(index - 1)));
    if (isPath) faults.push(`${file}: names a folder of this machine`);
  }
}

function readSource(file: string, text: string): void {
  const lines = text.split("\n").length - 1;
  if (lines > maxLines) faults.push(`${file}: ${lines} lines, and a file has at most ${maxLines}`);
  if (!file.startsWith(core)) return;
  const folder = folderOf(file);
  if (folder === undefined) return;
  const imported = [...text.matchAll(/ from "(\.[^"]+)"/g)].map(([, path = ""]) => folderOf(join(dirname(file), path)));
  const others = imported.filter((other) => other !== undefined && other !== folder) as string[];
  coreImports.set(folder, new Set([...(coreImports.get(folder) ?? []), ...others]));
}

/** The folder of core that a file is in; undefined for files that stand above the folders. */
function folderOf(file: string): string | undefined {
  const parts = file.replaceAll("\\", "/").slice(core.length).split("/");
  return parts.length > 1 ? parts[0] : undefined;
}

/** A folder of core that leads back to itself through others. */
function checkCircle(folder: string): void {
  const reached = new Set<string>(coreImports.get(folder));
  for (const other of reached) for (const next of coreImports.get(other) ?? []) reached.add(next);
  if (reached.has(folder)) faults.push(`${core}${folder}: imports itself by way of other folders`);
}
