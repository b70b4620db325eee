import { dirname, join } from "node:path/posix";

/** What a folder of the source may import besides its own files. */
interface Wall {
  /** Other folders, and files that stand beside the folders. */
  readonly imports: readonly string[];
  /** Modules of Node, packages that the build bundles, or neither. */
  readonly modules: "none" | "node" | "all";
}

/**
 * The walls of the house: imports run one way. Each line names only folders that stand above it.
 *
 * A folder within a folder has a line of its own if less is allowed there.
 */
export const WALLS: Readonly<Record<string, Wall>> = {
  core: { imports: [], modules: "none" },
  // What hosts get wrong, told before it reaches the core.
  checks: { imports: ["core"], modules: "none" },
  // What must not be shown to anybody.
  privacy: { imports: [], modules: "none" },
  system: { imports: [], modules: "node" },
  // Another judge, for a guard that is made as others are. The core has its port.
  counting: { imports: ["checks", "core", "create-guard.ts", "guarded-call.ts"], modules: "none" },
  host: { imports: ["checks", "core", "index.ts", "warn-once.ts"], modules: "none" },
  adapters: { imports: ["core", "host", "index.ts"], modules: "none" },
  // Another model is asked whether an agent is stuck.
  opinion: { imports: ["checks", "core", "host", "index.ts", "privacy"], modules: "none" },
  telemetry: { imports: ["core", "host", "index.ts"], modules: "none" },
  fleet: { imports: ["core", "system", "warn-once.ts"], modules: "node" },
  // A store of the host's is tested against the port: only its types are imported.
  testing: { imports: ["core", "fleet", "index.ts"], modules: "none" },
  workspace: { imports: ["core", "host", "system"], modules: "node" },
  transcripts: { imports: ["core"], modules: "node" },
  // A hook answers like an adapter, reads what its agent has written, and puts files back where a run starts over.
  agents: {
    imports: ["core", "counting", "host", "index.ts", "platform.ts", "system", "transcripts", "workspace"],
    modules: "all",
  },
  // The report page has these two in the browser.
  "scan/report": { imports: ["core"], modules: "none" },
  "scan/redact": { imports: ["core"], modules: "none" },
  scan: {
    imports: ["agents", "checks", "core", "counting", "index.ts", "platform.ts", "privacy", "system", "transcripts"],
    modules: "all",
  },
  // What a gateway sends is read as an adapter reads it.
  service: {
    imports: [
      "adapters",
      "agents",
      "checks",
      "core",
      "counting",
      "fleet",
      "host",
      "index.ts",
      "opinion",
      "platform.ts",
      "system",
      "transcripts",
    ],
    modules: "all",
  },
  cli: {
    imports: [
      "agents",
      "checks",
      "core",
      "counting",
      "fleet",
      "index.ts",
      "platform.ts",
      "scan",
      "service",
      "system",
      "transcripts",
      "workspace",
    ],
    modules: "all",
  },
  // The main import path.
  "": {
    imports: ["checks", "core", "fleet/fleet-member.ts", "host"],
    modules: "node",
  },
};

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"|import\(\s*"([^"]+)"/g;

/** The faults of one source file: what it imports through a wall. `file` is its path below `src`. */
export function wallFaults(file: string, text: string): readonly string[] {
  const home = wallOf(file);
  const wall = WALLS[home];
  if (wall === undefined) return [`${file}: this folder has no line in scripts/walls.ts`];
  // Tests bring what they need from anywhere.
  if (/\.test(?:-d)?\.ts$/.test(file)) return [];
  const faults: string[] = [];
  for (const [, plain, dynamic] of text.matchAll(IMPORT)) {
    const module = plain ?? dynamic ?? "";
    if (!module.startsWith(".")) {
      if (!mayUse(wall, module)) faults.push(`${file}: ${home || "src"} imports no ${module}`);
      continue;
    }
    const target = join(dirname(file), module);
    const other = wallOf(target);
    if (isWithin(home, file, target) || mayImport(wall, other, target)) continue;
    faults.push(`${file}: ${home || "src"} does not import ${other || target}`);
  }
  return faults;
}

function mayUse({ modules }: Wall, module: string): boolean {
  return modules === "all" || (modules === "node" && module.startsWith("node:"));
}

function mayImport({ imports }: Wall, other: string, target: string): boolean {
  return imports.some((name) => name === other || name === target || other.startsWith(`${name}/`));
}

/** Whether both belong together. Each adapter stands alone; what is closed to the rest of its folder is open to it. */
function isWithin(home: string, file: string, target: string): boolean {
  if (home === "") return !target.includes("/");
  if (home === "adapters") return file.split("/")[1] === target.split("/")[1] && target.startsWith("adapters/");
  return target.startsWith(`${home}/`);
}

/** The folder whose wall stands around a file; empty for files that stand beside the folders. */
function wallOf(file: string): string {
  const [folder = "", inner = "", ...rest] = file.split("/");
  if (inner === "") return "";
  return rest.length > 0 && WALLS[`${folder}/${inner}`] !== undefined ? `${folder}/${inner}` : folder;
}
