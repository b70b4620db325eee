import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Adds to the lock file the tools' binaries for other systems, which npm leaves out where it cannot fetch them.
 *
 * Without them `npm ci` calls the lock file out of sync. Added entries carry no integrity. Run it after a change of dependencies.
 * A folder with a lock file of its own, such as `test/hosts/ai-sdk`, may be named.
 */
const path = resolve(import.meta.dirname, "..", process.argv[2] ?? ".", "package-lock.json");

interface Entry {
  version?: string;
  dev?: boolean;
  peer?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Entry> };
const systems = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
  "windows",
];
let added = 0;

for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    const entry = binaryEntry(name, version, parent);
    if (key in lock.packages || entry === undefined) continue;
    lock.packages[key] = entry;
    added++;
  }
}

if (added > 0) {
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en"));
  lock.packages = Object.fromEntries(sorted);
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(`${added} entries added`);

/** Reads the system from a name such as `binding-linux-x64-musl`; undefined where the name tells none. */
function binaryEntry(name: string, version: string, parent: Entry): Entry | undefined {
  const words = name.split(/[/-]/);
  const at = words.findIndex((word) => systems.includes(word));
  const isWasm = words.includes("wasm32");
  const system = words[at];
  const cpu = isWasm ? "wasm32" : words[at + 1];
  if (!/^\d/.test(version) || cpu === undefined || (system === undefined && !isWasm)) return undefined;
  const libc = words.some((word) => word.startsWith("musl")) ? "musl" : "glibc";
  return {
    version,
    cpu: [cpu],
    ...(parent.dev && { dev: true }),
    ...(system === "linux" && { libc: [libc] }),
    optional: true,
    ...(system !== undefined && { os: [system === "windows" ? "win32" : system] }),
    ...(parent.peer && { peer: true }),
  };
}
