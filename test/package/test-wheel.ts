import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { packageHome, readManifest } from "../../scripts/package/manifest.ts";
import { buildPythonPackage, copyPythonTests, pythonThatBuilds } from "../../scripts/package/python-package.ts";
import { attempt } from "../../scripts/run-program.ts";

/**
 * Builds the Python package, installs the wheel into an empty virtual environment, and runs the tests and the recipes there with the service
 * of the build. Needs a build, and Debian's python3-build, python3-hatchling and python3-venv; without those, it says so and ends well.
 */
const python = pythonThatBuilds();
if (python === undefined) console.log("skip the wheel: python3-build, python3-hatchling and python3-venv are required");
else await testWheel(python);

async function testWheel(builder: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-wheel-"));
  try {
    const { wheel, sdist } = await attempt("builds a wheel and an sdist", () => buildPythonPackage(builder, folder));
    await attempt("has npm's version, and the files that it should", () => checkFiles(builder, wheel, sdist));
    const installed = await attempt("installs into an empty environment", () => install(builder, wheel, folder));
    const home = copyPythonTests(folder);
    await attempt("passes its tests and recipes as installed", () => runTests(installed, home));
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

function runTests(program: string, home: string): string {
  const service = [process.execPath, join(packageHome, "dist/cli/main.js")].join("\n");
  const unset = { DOOMLOOP: "", DOOMLOOP_URL: "", DOOMLOOP_TOKEN: "", PYTHONPATH: "" };
  const { stderr, status } = spawnSync(program, ["-W", "ignore::DeprecationWarning", "-m", "unittest"], {
    cwd: home,
    env: { ...process.env, ...unset, DOOMLOOP_TEST_SERVICE: service, DOOMLOOP_TEST_INSTALLED: "1" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the tests failed:\n${stderr}`);
  return stderr.match(/Ran \d+ tests[^\n]*|OK[^\n]*/g)?.join(", ") ?? "";
}
