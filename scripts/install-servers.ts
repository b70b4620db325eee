import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Installs the servers that the fleet is tried against, from Debian's packages, and leaves none of them running.
 *
 * Needs root where one is missing. Valkey comes from backports: that source is given to this one installation and not
 * added to the machine. Services are kept from starting while packages are unpacked, so there is nothing to stop.
 */
const programs = ["redis-server", "redis-sentinel", "redis-cli", "valkey-server", "valkey-sentinel", "valkey-cli"];
/** Debian keeps Postgres out of the search path. */
const postgres = "postgres";
const packages = [
  ...["redis-server", "redis-sentinel", "redis-tools", "valkey-server", "valkey-sentinel", "valkey-tools"],
  "postgresql",
];
/** Asked by the package tools before they start a service; 101 forbids it. */
const servicePolicy = "/usr/sbin/policy-rc.d";

if (missing().length > 0) install();
const absent = missing();
for (const program of ["redis-server", "valkey-server"]) {
  if (!absent.includes(program)) console.log(execFileSync(program, ["--version"], { encoding: "utf8" }).trim());
}
if (absent.length > 0) console.error(`install-servers: not found: ${absent.join(", ")}`);
// Without Postgres, the tests of one example are skipped.
process.exitCode = absent.every((program) => program === postgres) ? 0 : 1;

function missing(): string[] {
  const absent = programs.filter((program) => spawnSync(program, ["--version"]).status !== 0);
  return globSync("/usr/lib/postgresql/*/bin/postgres").length > 0 ? absent : [...absent, postgres];
}

function install(): void {
  const isPolicyOurs = !existsSync(servicePolicy);
  const folder = mkdtempSync(join(tmpdir(), "doomloop-servers-"));
  try {
    if (isPolicyOurs) writeFileSync(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
    const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const apt = (...words: string[]) =>
      execFileSync("apt-get", ["--quiet=2", ...words], { env: environment, stdio: ["ignore", "ignore", "inherit"] });
    apt("update");
    const options = sourceOptions(folder);
    apt(...options, "update");
    apt(...options, "install", "--yes", "--no-install-recommends", ...packages);
  } catch (error) {
    console.error(`install-servers: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (isPolicyOurs) rmSync(servicePolicy, { force: true });
  }
}

/**
 * The machine's own sources of Debian with backports, for one call, with lists of packages of its own. Security updates must be among them: if one
 * server's package is installed from there, the others need the same version.
 */
function sourceOptions(folder: string): string[] {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "bookworm";
  const words = ["indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"];
  const targets = execFileSync("apt-get", words, { encoding: "utf8" }).split("\n");
  const own = targets.filter((target) => new RegExp(` ${release}(?:-updates|-security)?$`).test(target));
  const mirror = own.find((target) => target.endsWith(` ${release}`));
  if (mirror === undefined) throw new Error(`no source of packages for ${release}`);
  const list = join(folder, "sources.list");
  const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
  const lines = [...new Set([...own, `${mirror}-backports`])].map((one) => `deb [signed-by=${keyring}] ${one} main\n`);
  writeFileSync(list, lines.join(""));
  mkdirSync(join(folder, "lists/partial"), { recursive: true });
  const settings = [
    `Dir::Etc::SourceList=${list}`,
    "Dir::Etc::SourceParts=/dev/null",
    `Dir::State::Lists=${join(folder, "lists")}`,
    // The folder is for nobody but root, so the download cannot run as somebody else.
    "APT::Sandbox::User=root",
  ];
  return settings.flatMap((setting) => ["--option", setting]);
}
