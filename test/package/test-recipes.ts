import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { buildPythonPackage, copyPythonTests, pythonThatBuilds } from "../../scripts/package/python-package.ts";

/**
 * Installs the wheel beside the real packages that the recipes are for, and runs the recipes with them. The client's other tests run with the wheel
 * alone.
 *
 * The packages come from Debian's development release, in a folder of their own that is kept. Making it needs root, `debootstrap` and some minutes. The
 * service runs outside.
 */
const root = resolve(import.meta.dirname, "../..");
const cache = process.env.DOOMLOOP_CI_CACHE || join(homedir(), ".cache/doomloop-ci");
const debian = join(cache, "debian-sid-venv");
const packages = ["python3-openai", "python3-anthropic", "python3-mcp", "llm", "python3-venv"];
const token = "a-token-for-tests-only";

if (!existsSync(debian)) {
  try {
    install();
  } catch (fault) {
    if (!process.argv.includes("--if-possible")) throw fault;
    console.log(`skip the recipes: Debian's development release could not be installed (${(fault as Error).message})`);
    process.exit(0);
  }
}
console.log(inDebian("dpkg-query", "--show", ...packages).trim());
installWheel();
process.exitCode = (await testRecipes()) ? 0 : 1;

function install(): void {
  const unfinished = `${debian}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const say = (program: string, ...words: string[]) =>
    execFileSync(program, words, {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "ignore", "inherit"],
    });
  say("debootstrap", "--variant=minbase", "sid", unfinished);
  // The lists of packages are those that debootstrap has just fetched.
  say("chroot", unfinished, "apt-get", "install", "--quiet=2", "--yes", "--no-install-recommends", ...packages);
  renameSync(unfinished, debian);
}

function installWheel(): void {
  const python = pythonThatBuilds();
  if (python === undefined) throw new Error("python3-build, python3-hatchling and python3-venv are required");
  const home = join(debian, "srv/doomloop");
  const folder = mkdtempSync(join(tmpdir(), "doomloop-wheel-"));
  try {
    rmSync(home, { recursive: true, force: true });
    copyPythonTests(home);
    const { wheel } = buildPythonPackage(python, folder);
    cpSync(wheel, join(home, basename(wheel)));
    inDebian("python3", "-m", "venv", "--system-site-packages", "/srv/doomloop/environment");
    const pip = ["/srv/doomloop/environment/bin/pip", "install", "--quiet", "--no-index"];
    inDebian(...pip, `/srv/doomloop/${basename(wheel)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function inDebian(...words: string[]): string {
  return execFileSync("chroot", [debian, ...words], { encoding: "utf8" });
}

async function testRecipes(): Promise<boolean> {
  const words = [join(root, "packages/doomloop/src/cli/main.ts"), "serve", "--listen", "127.0.0.1:0"];
  const service = spawn(process.execPath, words, {
    env: { ...process.env, DOOMLOOP_TOKEN: token },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = (await once(service.stdout, "data")) as [Buffer];
    const url = /http:\S+/.exec(line.toString())?.[0] ?? "";
    const python = "/srv/doomloop/environment/bin/python";
    const command = `cd /srv/doomloop/clients/python && ${python} -W ignore::DeprecationWarning -m unittest`;
    const inside = [
      debian,
      "env",
      `DOOMLOOP_TEST_URL=${url}`,
      "DOOMLOOP_TEST_INSTALLED=1",
      "sh",
      "-c",
      `${command} tests.test_recipes`,
    ];
    return spawnSync("chroot", inside, { stdio: "inherit" }).status === 0;
  } finally {
    service.kill();
  }
}
