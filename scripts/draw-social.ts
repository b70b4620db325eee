import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { socialPicture, withSource } from "./pictures/social-picture.ts";
import { root } from "./repository.ts";

/** Draws `docs/public/social.png` with Chromium. `draw-runs.ts --check` says when it is out of date. */
const folder = mkdtempSync(join(tmpdir(), "doomloop-social-"));
try {
  const [page, shot] = [join(folder, "social.svg"), join(folder, "social.png")];
  writeFileSync(page, socialPicture());
  const words = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1200,630"];
  execFileSync(process.env.DOOMLOOP_CHROMIUM || "/usr/bin/chromium", [...words, `--screenshot=${shot}`, page]);
  writeFileSync(join(root, "docs/public/social.png"), withSource(readFileSync(shot), socialPicture()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
