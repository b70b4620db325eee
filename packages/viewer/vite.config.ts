import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { onePage } from "./src/build/one-page.ts";

/** The report page as one file, built into the package that fills it. */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [
    onePage({
      file: resolve(import.meta.dirname, "../doomloop/assets/report.html"),
      licenceFile: fileURLToPath(new URL("LICENSE", import.meta.resolve("preact/package.json"))),
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
