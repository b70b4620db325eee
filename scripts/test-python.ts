import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Runs the tests of the Python client with the real packages that its recipes are for. `npm test` runs them with what the machine has.
 *
 * They come from Debian's development release, in a folder of their own that is kept. Making it needs root, `debootstrap` and some minutes. The
 * service runs outside.
 */
const root = resolve(import.meta.dirname, "..");
const cache = process.env.DOOMLOOP_CI_CACHE || join(homedir(), ".cache/doomloop-ci");
const debian = join(cache, "debian-sid");
const packages = ["python3-openai", "python3-anthropic", "python3-mcp", "llm"];
const token = "a-token-for-tests-only";

if (!existsSync(debian)) install();
console.log(inDebian("dpkg-query", "--show", ...packages).trim());
const home = join(debian, "srv/doomloop");
rmSync(home, { recursive: true, force: true });
cpSync(join(root, "clients"), home, { recursive: true });
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
    const command = "cd /srv/doomloop/python && python3 -W ignore::DeprecationWarning -m unittest";
    const names = ["guard", "ask", "faults", "values", "recipes"].map((name) => `tests.test_${name}`).join(" ");
    const inside = [debian, "env", `DOOMLOOP_TEST_URL=${url}`, "sh", "-c", `${command} ${names}`];
    return spawnSync("chroot", inside, { stdio: "inherit" }).status === 0;
  } finally {
    service.kill();
  }
}
