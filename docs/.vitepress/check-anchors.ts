import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Throws if a link of the built site leads to a place that its page does not have. VitePress itself looks for pages only. */
export function checkAnchors(out: string, base: string): void {
  const texts = new Map(
    globSync("**/*.html", { cwd: out }).map((file) => [
      file.replaceAll("\\", "/"),
      readFileSync(join(out, file), "utf8"),
    ]),
  );
  const places = new Map([...texts].map(([file, text]) => [file, new Set(valuesOf(text, "id"))]));
  const lost = new Set<string>();
  for (const [file, text] of texts) {
    for (const link of valuesOf(text, "href")) {
      const [address = "", anchor] = link.split("#", 2);
      const isOwn = address === "" || address.startsWith(base);
      if (!isOwn || anchor === undefined || anchor === "") continue;
      const target = address === "" ? file : fileOf(address.slice(base.length));
      if (places.get(target)?.has(decodeURIComponent(anchor)) !== true) lost.add(`${file}: ${link}`);
    }
  }
  if (lost.size > 0) throw new Error(`links that lead nowhere:\n${[...lost].join("\n")}`);
}

function valuesOf(html: string, attribute: "id" | "href"): string[] {
  return [...html.matchAll(/ (id|href)="([^"]*)"/g)].flatMap(([, name, value = ""]) =>
    name === attribute ? [value] : [],
  );
}

function fileOf(address: string): string {
  if (address === "" || address.endsWith("/")) return `${address}index.html`;
  return posix.extname(address) === ".html" ? address : `${address}.html`;
}
