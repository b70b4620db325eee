import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageHome } from "./manifest.ts";

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** Writes the licences of the packages that files come from into ours, as each of them asks for. */
export function writeNotices(files: readonly string[]): void {
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
  const notices = [...folders].map(noticeOf).sort();
  const text = ["Parts of these packages are in doomloop's files. Their licences follow.", ...notices].join("\n\n");
  writeFileSync(join(packageHome, "THIRD-PARTY-NOTICES.txt"), `${text}\n`);
}

function noticeOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, string>;
  const licence = readdirSync(folder).find((file) => /^licen[cs]e(?:\.|$)/i.test(file));
  if (licence === undefined) throw new Error(`write-notices: a licence is required to bundle ${name}, it has none`);
  return `${name} ${version}\n\n${readFileSync(join(folder, licence), "utf8").trim()}`;
}
