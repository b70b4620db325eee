import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, resolve } from "node:path";

/** Checks what no other tool checks: file names, links between pages, hosts and paths that belong to one machine. */
const root = resolve(import.meta.dirname, "..");
const maxBytes = 1_000_000;

const faults: string[] = [];
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(resolve(root, file)));

for (const file of files) {
  const path = resolve(root, file);
  if (statSync(path).size > maxBytes) faults.push(`${file}: larger than ${maxBytes} bytes`);
  checkName(file);
  const text = readFileSync(path, "utf8");
  if (text.includes("\0")) continue;
  checkMachine(file, text);
  if (file.endsWith(".md")) checkLinks(file, text);
}

for (const fault of faults) console.log(fault);
console.log(`${files.length} files, ${faults.length} at fault`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** A name says what is inside: these say nothing. */
function checkName(file: string): void {
  if (!/^(?:packages|bench|scripts)\//.test(file)) return;
  if (
    /^(?:utils?|helpers?|common|types|misc)\.ts$/.test(basename(file)) ||
    /\/(?:common|utils?|helpers?)\//.test(file)
  ) {
    faults.push(`${file}: a name says what is inside`);
  }
}

function checkMachine(file: string, text: string): void {
  const isLock = basename(file) === "package-lock.json";
  if (isLock && /"resolved": "http/.test(text)) faults.push(`${file}: names a registry's host`);
  if (basename(file) === ".npmrc" && /registry/.test(text.replaceAll("registry-resolved", ""))) {
    faults.push(`${file}: names a registry`);
  }
  const shared = ["/", homedir(), tmpdir(), "/tmp", "/home", "/Users"];
  for (const folder of [root, dirname(root)]) {
    if (shared.includes(folder)) continue;
    const index = text.indexOf(`${folder}/`);
    const isPath = index === 0 || (index > 0 && !/[\w.}/-]/.test(text.charAt(index - 1)));
    if (isPath) faults.push(`${file}: names a folder of this machine`);
  }
}

/** Links to files of the repository lead somewhere. */
function checkLinks(file: string, text: string): void {
  const prose = text.replaceAll(/^```.*?^```/gms, "");
  for (const [, target = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(?:[a-z]+:|#)/.test(target)) continue;
    const [page = ""] = target.split("#");
    const base = page.startsWith("/") ? root : dirname(resolve(root, file));
    if (!existsSync(resolve(base, page.replace(/^\//, "")))) faults.push(`${file}: the link ${target} leads nowhere`);
  }
}
