import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkContents } from "./package/contents.ts";
import { pack } from "./package/pack.ts";
import { readTarball } from "./package/read-tarball.ts";
import { requireBuild } from "./package/require-build.ts";

/** Writes down what the tarball holds now. `npm run test:package` compares with it. Needs a build. */
requireBuild();
const folder = mkdtempSync(join(tmpdir(), "doomloop-contents-"));
try {
  console.log(checkContents(readTarball(pack(folder)), true));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
