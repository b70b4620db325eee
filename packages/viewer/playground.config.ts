import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vite";
import { pageConfig } from "./page-config.ts";

const manifest = readFileSync(resolve(import.meta.dirname, "../doomloop/package.json"), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string };

/** The playground as one file, built to where the documentation site finds it. */
export default defineConfig({
  ...pageConfig({
    entry: "paste.html",
    file: "../../docs/public/paste.html",
    packages: ["diff", "tokenx", "@pydantic/genai-prices"],
    hasIsland: false,
  }),
  define: { DOOMLOOP_VERSION: JSON.stringify(version) },
});
