import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const home = join(root, "packages/doomloop");
const manifest = read(join(home, "package.json"));

describe("package.json of the package", () => {
  it("publishes in public, with provenance", () => {
    const url = "git+https://github.com/doomloop/doomloop.git";
    expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
    expect(manifest.repository).toEqual({ type: "git", url, directory: "packages/doomloop" });
    expect(manifest.private).toBeUndefined();
  });

  it("asks for no money, brings no packages and runs nothing at an install", () => {
    for (const name of ["funding", "dependencies", "peerDependencies", "optionalDependencies", "scripts"])
      expect(manifest, name).not.toHaveProperty(name);
  });

  it("has the licence and the Node of the workspace", () => {
    const workspace = read(join(root, "package.json"));

    expect([manifest.license, manifest.engines]).toEqual([workspace.license, workspace.engines]);
    expect(readFileSync(join(root, "LICENSE"), "utf8")).toMatch(/^MIT License/);
  });

  it("has a changelog that begins with its version", () => {
    const changelog = readFileSync(join(home, "CHANGELOG.md"), "utf8");

    expect(/^## (\S+)$/m.exec(changelog)?.[1]).toBe(manifest.version);
  });

  it("agrees with the plugin files that stand beside it", () => {
    const { id, version } = read(join(home, "openclaw.plugin.json"));

    expect(id).toBe(manifest.name);
    expect(version ?? manifest.version).toBe(manifest.version);
    for (const extension of manifest.openclaw.extensions as string[]) {
      const source = extension.replace("./dist/", "src/").replace(/\.js$/, ".ts");
      expect(existsSync(join(home, source)), extension).toBe(true);
    }
  });
});

// biome-ignore lint/suspicious/noExplicitAny: what a field is, is what these tests are about.
function read(path: string): any {
  return JSON.parse(readFileSync(path, "utf8"));
}
