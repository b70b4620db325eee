import { defineConfig } from "vite";
import { pageConfig } from "./page-config.ts";

/** The report page as one file, built into the package that fills it. */
export default defineConfig(
  pageConfig({ entry: "index.html", file: "../doomloop/assets/report.html", packages: ["diff"] }),
);
