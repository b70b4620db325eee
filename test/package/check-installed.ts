import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 3.8 * 1024 * 1024;
const MAX_DEPENDENCIES = 2;
/** What files and folders take on most disks: whole blocks. */
const BLOCK = 4096;
/** What a licence of MIT and one of BSD say once. */
const GRANT = /Permission is hereby granted|Redistribution and use in source and binary forms/;
/** What somebody has in their settings. Claude Code takes no comments, Gemini CLI does. */
const SETTINGS = {
  ".claude/settings.json": '{\n  "model": "opus"\n}\n',
  ".gemini/settings.json": '{\n  // mine\n  "theme": "dark"\n}\n',
};
const FOLDERS = [".claude", ".codex", ".gemini", ".qwen", ".copilot", ".cline", ".config/opencode"];

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly evidence: { readonly occurrences: readonly { readonly location: string }[] };
}

interface Versioned {
  readonly version?: string;
}

/** Throws if the package, as it was installed into an empty project, takes more room or packages than it may. Returns what it takes. */
export function checkInstall(project: string): string {
  const bytes = bytesOn(join(project, "node_modules"));
  const { packages } = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")) as { packages: object };
  const others = Object.keys(packages).filter((path) => path !== "" && path !== "node_modules/doomloop");
  const words = `${(bytes / 1024 / 1024).toFixed(2)} MB on the disk, ${others.length} other packages`;
  if (bytes > MAX_BYTES) throw new Error(`at most ${MAX_BYTES / 1024 / 1024} MB are required, got ${words}`);
  if (others.length > MAX_DEPENDENCIES) throw new Error(`at most ${MAX_DEPENDENCIES} are required, got ${others}`);
  return words;
}

function bytesOn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesOn(path);
    return entry.isFile() ? sum + Math.ceil(statSync(path).size / BLOCK) * BLOCK : sum;
  }, BLOCK);
}

/** Throws if the installed package does not say one version everywhere, or names files of its own that it lacks. Returns the version. */
export function checkMetadata(project: string): string {
  const home = join(project, "node_modules/doomloop");
  const manifest = read(home, "package.json") as Versioned & { files: string[]; openclaw: { extensions: string[] } };
  const program = execFileSync(process.execPath, [join(home, "dist/cli/main.js"), "--version"], { encoding: "utf8" });
  const { metadata } = read(home, "sbom.cdx.json") as { metadata: { component: Versioned } };
  const versions = {
    ".claude-plugin/plugin.json": (read(home, ".claude-plugin/plugin.json") as Versioned).version,
    ".codex-plugin/plugin.json": (read(home, ".codex-plugin/plugin.json") as Versioned).version,
    ".cursor-plugin/plugin.json": (read(home, ".cursor-plugin/plugin.json") as Versioned).version,
    // OpenClaw takes the version of package.json: what stands in its own file as well must agree.
    "openclaw.plugin.json": (read(home, "openclaw.plugin.json") as Versioned).version ?? manifest.version,
    "sbom.cdx.json": metadata.component.version,
    "doomloop --version": program.trim(),
    "CHANGELOG.md": /^## (\S+)$/m.exec(readFileSync(join(home, "CHANGELOG.md"), "utf8"))?.[1],
  };
  for (const [place, version] of Object.entries(versions)) {
    if (version !== manifest.version) throw new Error(`${place} says ${version}, package.json ${manifest.version}`);
  }
  const absent = [...manifest.files, ...manifest.openclaw.extensions].filter((file) => !existsSync(join(home, file)));
  if (absent.length > 0) throw new Error(`package.json names ${absent.join(", ")}, which the package lacks`);
  return `version ${manifest.version}`;
}

function read(home: string, file: string): unknown {
  return JSON.parse(readFileSync(join(home, file), "utf8"));
}

/**
 * Throws if the bill of materials of the installed package, which is written from the bundler's own lists of modules, and the licences beside
 * it do not name the same packages, or if it leads to files that are not there. Returns what is bundled.
 */
export function checkLicences(project: string): string {
  const home = join(project, "node_modules/doomloop");
  const { components } = JSON.parse(readFileSync(join(home, "sbom.cdx.json"), "utf8")) as { components: Component[] };
  const bundled = components.map(
    ({ group, name, version }) => `${group === undefined ? "" : `${group}/`}${name} ${version}`,
  );
  const notices = readFileSync(join(home, "THIRD-PARTY-NOTICES.txt"), "utf8");
  const named = [...notices.matchAll(/^(\S+ \d+\.\d+\.\d+\S*)\n\n/gm)].map(([, name = ""]) => name);
  if (named.join() !== bundled.join()) throw new Error(`licences of ${bundled} are required, got those of ${named}`);
  const grants = notices.split(GRANT).length - 1;
  if (grants !== bundled.length) throw new Error(`${bundled.length} licences are required, got the text of ${grants}`);
  for (const { evidence } of components)
    for (const { location } of evidence.occurrences) readFileSync(join(home, location));
  return bundled.join(", ");
}

/** Throws if the installed package does not guard coding agents in a home of their own, or does not leave that home as it was. Returns how long a hook takes. */
export function checkHooks(project: string, home: string): string {
  for (const folder of FOLDERS) mkdirSync(join(home, folder), { recursive: true });
  for (const [file, text] of Object.entries(SETTINGS)) writeFileSync(join(home, file), text);
  const doomloop = (...words: string[]): string =>
    execFileSync(process.execPath, [join(project, "node_modules/doomloop/dist/cli/main.js"), ...words], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  doomloop("init", ...(process.platform === "win32" ? ["claude-code", "codex"] : []), "--unattended", "--yes");
  // A hook says nothing where a slow machine gives it no time, so it gets several chances.
  const report = [1, 2, 3].reduce((said) => (isFine(said) ? said : outputOf(() => doomloop("doctor"))), "");
  if (!isFine(report)) throw new Error(`hooks do not work:\n${report}`);
  doomloop("uninstall", "--yes");
  for (const [file, text] of Object.entries(SETTINGS))
    if (readFileSync(join(home, file), "utf8") !== text) throw new Error(`uninstall does not give ${file} back`);
  const left = readFileSync(join(home, ".codex/hooks.json"), "utf8").trim();
  if (left !== "{}") throw new Error(`uninstall leaves more than an empty file: ${left}`);
  return /time +([^\n]*)/.exec(report)?.[1] ?? "";
}

function isFine(report: string): boolean {
  return /block +at call/.test(report) && !report.includes("fault");
}

/** What a program prints, also if it fails. */
function outputOf(action: () => string): string {
  try {
    return action();
  } catch (fault) {
    return (fault as { stdout: string }).stdout;
  }
}
