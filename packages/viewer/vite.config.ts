import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { defineConfig } from "vite";
import { onePage } from "./src/build/one-page.ts";

const require = createRequire(import.meta.url);
const licenceFileOf = (name: string): string => join(dirname(require.resolve(`${name}/package.json`)), "LICENSE");

/** The report page as one file, built into the package that fills it. */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [
    onePage({
      file: resolve(import.meta.dirname, "../doomloop/assets/report.html"),
      licenceFiles: { Preact: licenceFileOf("preact"), diff: licenceFileOf("diff") },
    }),
  ],
  build: {
    // `light-dark()` and nesting stay as they are written: browsers have both since 2024.
    target: ["chrome123", "firefox120", "safari17.5"],
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    outDir: "dist",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    write: false,
  },
  logLevel: "warn",
});
