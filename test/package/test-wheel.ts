import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { packageHome, readManifest } from "../../scripts/package/manifest.ts";
import { buildPythonPackage, copyPythonTests, pythonThatBuilds } from "../../scripts/package/python-package.ts";
import { attempt } from "../../scripts/run-program.ts";

/**
 * Builds the Python package, installs the wheel into an empty virtual environment, and runs the tests and the recipes there with the service
 * of the build. Needs a build, and Debian's python3-build, python3-hatchling and python3-venv; without those, it says so and tests the source.
 */
const python = pythonThatBuilds();
if (python === undefined) await testSource();
else await testWheel(python);

async function testSource(): Promise<void> {
  console.log("no wheel: python3-build, python3-hatchling and python3-venv are required");
  const home = resolve(packageHome, "../../clients/python");
  const program = process.platform === "win32" ? "python" : "python3";
  await attempt("passes its tests and recipes from the source", () => runTests(program, home, {})).catch(() => {
    process.exitCode = 1;
  });
}

async function testWheel(builder: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-wheel-"));
  try {
    const { wheel, sdist } = await attempt("builds a wheel and an sdist", () => buildPythonPackage(builder, folder));
    await attempt("has npm's version, and the files that it should", () => checkFiles(builder, wheel, sdist));
    const installed = await attempt("installs into an empty environment", () => install(builder, wheel, folder));
    const home = copyPythonTests(folder);
    await attempt("passes its tests and recipes as installed", () =>
      runTests(installed, home, { DOOMLOOP_TEST_INSTALLED: "1" }),
    );
  } catch {
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkFiles(builder: string, wheel: string, sdist: string): string {
  const { version } = readManifest();
  const names = [basename(wheel), basename(sdist)];
  const expected = [`doomloop-${version}-py3-none-any.whl`, `doomloop-${version}.tar.gz`];
  if (names.join() !== expected.join()) throw new Error(`${expected.join(", ")} are required, got ${names.join(", ")}`);
  const list = "import sys, zipfile; print(*sorted(zipfile.ZipFile(sys.argv[1]).namelist()), sep='\\n')";
  const files = execFileSync(builder, ["-c", list, wheel], { encoding: "utf8" }).trim().split("\n");
  const code = files.filter((file) => !file.includes(".dist-info/"));
  if (code.join() !== "doomloop/__init__.py,doomloop/py.typed")
    throw new Error(`the wheel contains ${code.join(", ")}`);
  return names.join(", ");
}

/** Returns the Python of the environment. */
function install(builder: string, wheel: string, folder: string): string {
  const environment = join(folder, "environment");
  const own = join(environment, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  execFileSync(builder, ["-m", "venv", environment], { stdio: "pipe" });
  // Nothing else is needed, so nothing is fetched.
  execFileSync(own, ["-m", "pip", "install", "--quiet", "--no-index", wheel], { stdio: "pipe" });
  return own;
}

/** Most tests wait for something, so each file runs in a process of its own. */
async function runTests(program: string, home: string, own: NodeJS.ProcessEnv): Promise<string> {
  const service = [process.execPath, join(packageHome, "dist/cli/main.js")].join("\n");
  const unset = { DOOMLOOP: "", DOOMLOOP_URL: "", DOOMLOOP_TOKEN: "", PYTHONPATH: "" };
  const env = { ...process.env, ...unset, ...own, DOOMLOOP_TEST_SERVICE: service, PYTHONDONTWRITEBYTECODE: "1" };
  const run = promisify(execFile);
  const files = readdirSync(join(home, "tests")).filter((name) => /^test_.*\.py$/.test(name));
  const ended = await Promise.all(
    files.map((file) => {
      const words = ["-W", "ignore::DeprecationWarning", "-m", "unittest", `tests.${file.slice(0, -3)}`];
      return run(program, words, { cwd: home, env });
    }),
  );
  const counts = ended.map(({ stderr }) => Number(/Ran (\d+) tests?/.exec(stderr)?.[1] ?? 0));
  return `${counts.reduce((sum, count) => sum + count, 0)} tests`;
}
