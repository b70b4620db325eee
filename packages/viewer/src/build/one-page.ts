import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Plugin } from "vite";
import { assemblePage } from "./assemble-page.ts";

export interface OnePageOptions {
  /** Where the page is written. */
  readonly file: string;
  /** The licences of what is built in, by its name. */
  readonly licenceFiles: Readonly<Record<string, string>>;
  /**
   * Whether the page has an empty island for a report.
   * @default true
   */
  readonly hasIsland?: boolean | undefined;
}

/** Writes all that was built into one HTML file instead of into several. */
export function onePage(options: OnePageOptions): Plugin {
  return {
    name: "one-page",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_output, bundle) {
        const licences = Object.entries(options.licenceFiles).map(
          ([name, file]) => `${name}:\n\n${readFileSync(file, "utf8").trim()}`,
        );
        const { hasIsland } = options;
        const parts = { html: "", script: "", style: "", licence: licences.join("\n\n"), hasIsland };
        for (const file of Object.values(bundle)) {
          if (file.type === "chunk") {
            const foreign = file.moduleIds.find((id) => id.includes("browser-external"));
            if (foreign !== undefined) this.error(`one-page: no browser has ${foreign}`);
            parts.script += file.code;
          } else if (file.fileName.endsWith(".css")) parts.style += textOf(file.source);
          else if (file.fileName.endsWith(".html")) parts.html += textOf(file.source);
          else this.error(`one-page: ${file.fileName} cannot go into the page`);
        }
        const page = assemblePage(parts);
        mkdirSync(dirname(options.file), { recursive: true });
        writeFileSync(options.file, page);
        this.info(`${options.file}: ${Buffer.byteLength(page)} bytes`);
      },
    },
  };
}

function textOf(source: string | Uint8Array): string {
  return typeof source === "string" ? source : Buffer.from(source).toString("utf8");
}
