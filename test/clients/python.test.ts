import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readManifest } from "../../scripts/package/manifest.ts";

const root = resolve(import.meta.dirname, "../..");
const client = resolve(root, "clients/python");
const python = findPython();
const run = promisify(execFile);

describe("the Python client", () => {
  it("has the version of the package", () => {
    const [, version] = /^__version__ = "(.*)"$/m.exec(readFileSync(resolve(client, "doomloop.py"), "utf8")) ?? [];

    expect(version).toBe(readManifest().version);
  });

  // Most of them wait for something, so they run side by side.
  describe.skipIf(python === undefined).concurrent("where there is Python 3.9 or later", () => {
    it.each([
      "test_values tests.test_guard tests.test_ask",
      "test_faults",
      "test_start",
      "test_service",
      "test_recipes tests.test_docs tests.test_types",
    ])("passes tests.%s", async (names) => {
      const words = ["-W", "ignore::DeprecationWarning", "-m", "unittest", ...`tests.${names}`.split(" ")];
      const env = { ...process.env, ...unset, DOOMLOOP_TEST_SERVICE: service.join("\n"), PYTHONDONTWRITEBYTECODE: "1" };
      const { stderr } = await run(python!, words, { cwd: client, env }).catch((fault) => fault);

      expect(stderr).toMatch(/\nOK(?: \(skipped=\d+\))?\n$/);
    });
  });
});

const service = [process.execPath, resolve(root, "packages/doomloop/src/cli/main.ts")];
/** What would lead the client elsewhere. */
const unset = { DOOMLOOP: "", DOOMLOOP_URL: "", DOOMLOOP_TOKEN: "" };

function findPython(): string | undefined {
  return ["python3", "python"].find((program) => {
    try {
      const check = "import sys; sys.exit(sys.version_info < (3, 9))";
      execFileSync(program, ["-c", check], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}
