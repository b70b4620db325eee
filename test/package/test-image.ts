import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { requireBuild } from "../../scripts/package/manifest.ts";
import { pack } from "../../scripts/package/tarball.ts";
import { attempt } from "../../scripts/run-program.ts";
import { type ContainerFile, readContainerFile } from "./container-file.ts";
import { type OverlayImage, type OverlayOptions, overlayFault, startInOverlay } from "./image-in-overlay.ts";
import { askImage, endImage, fillImage, floodImage, type RunningImage } from "./try-image.ts";

/**
 * Makes the image of `deploy/Dockerfile`, without a registry of images, and runs it as Kubernetes may: as any user, read-only, in 128 MB.
 * Needs a build, and root.
 */
const USER = 54_321;
const MEMORY_BYTES = 128 * 1_048_576;
const deploy = resolve(import.meta.dirname, "../../deploy");
const fault = overlayFault();
if (fault === undefined) await testImage();
else console.log(`Skipped: the image is neither made nor run. ${fault}.`);

async function testImage(): Promise<void> {
  requireBuild();
  const home = mkdtempSync(join(tmpdir(), "doomloop-image-"));
  const [context, folder] = [join(home, "context"), join(home, "root")];
  for (const each of [context, folder]) mkdirSync(each);
  try {
    const tarball = basename(pack(context));
    cpSync(join(deploy, "Dockerfile"), join(context, "Dockerfile"));
    const file = readContainerFile(readFileSync(join(context, "Dockerfile"), "utf8"));
    await testInOverlay(file, { context, folder, tarball, user: USER, memoryBytes: MEMORY_BYTES });
  } catch {
    process.exitCode = 1;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function testInOverlay(file: ContainerFile, options: OverlayOptions): Promise<void> {
  const image = await attempt("is made by the steps of its file, and starts", () => startInOverlay(file, options));
  try {
    await attempt("runs without rights, as a user that nobody knows, read-only", () => checkRights(image));
    await attempt("answers", () => askImage(image));
    if (image.unlimited === undefined) await testMemory(image);
    else console.log(`Skipped: 128 MB. This machine lets nobody limit memory: ${image.unlimited}`);
    await attempt("ends with SIGTERM", () => endImage(image));
  } finally {
    await image.remove();
  }
}

async function testMemory(image: RunningImage): Promise<void> {
  await attempt("lives with 128 MB when there are many runs", () => fillImage(image));
  await attempt("lives with 128 MB when there are long bodies", () => floodImage(image));
}

/** What the kernel says about the process. */
function checkRights({ pid }: OverlayImage): void {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const expected = [
    `Uid:\t${USER}\t`,
    `Gid:\t${USER}\t`,
    "NoNewPrivs:\t1",
    "CapEff:\t0000000000000000",
    "CapBnd:\t0000000000000000",
  ];
  for (const line of expected) if (!status.includes(line)) throw new Error(`${line} is expected in\n${status}`);
  if (new RegExp(`:${USER}:`).test(readFileSync("/etc/passwd", "utf8"))) throw new Error(`${USER} is a known user`);
  const mounts = readFileSync(`/proc/${pid}/mounts`, "utf8");
  if (!/^overlay \/ overlay ro,/m.test(mounts)) throw new Error(`a root that is read-only is expected in\n${mounts}`);
  if (/^HOME=/m.test(readFileSync(`/proc/${pid}/environ`, "utf8").replaceAll("\0", "\n")))
    throw new Error("HOME is set");
}
