import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { pack, readTarball } from "../../scripts/package/tarball.ts";

const folder = mkdtempSync(join(tmpdir(), "doomloop-tarball-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("lists the files of a tarball as they are named, however long, empty, or like a secret", () => {
  const session = "session-5f0c2a71-6d1e-4c55-9d0b-3a1f5be0c101.jsonl";
  const files: Record<string, string> = {
    [`${"deep/".repeat(45)}a.txt`]: "deep",
    "empty.txt": "",
    "häßlich.txt": "ä",
    "package.json": JSON.stringify({ name: "packed", version: "1.0.0" }),
    [`${"x".repeat(120)}.txt`]: "x".repeat(513),
    [session]: "1",
  };
  const home = join(folder, "home");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }

  const read = readTarball(pack(folder, home));

  expect(Object.fromEntries(read.map(({ path, content }) => [path, Buffer.from(content).toString("utf8")]))).toEqual(
    files,
  );
  expect(read.map(({ size }) => size).sort((a, b) => a - b)).toEqual([0, 1, 2, 4, 35, 513]);
  if (process.platform !== "win32") expect(namesBy("tar", folder)).toHaveLength(read.length);
});

function namesBy(program: string, cwd: string): string[] {
  return execFileSync(program, ["-tzf", "packed-1.0.0.tgz"], { cwd, encoding: "utf8" }).trim().split("\n");
}
