import { readFileSync, writeFileSync } from "node:fs";
import { openApi } from "../packages/doomloop/src/service/decisions/openapi.ts";

/** Writes the description of the service that the package contains. A test compares it with what the service serves. */
const packageFolder = new URL("../packages/doomloop/", import.meta.url);
const { version } = JSON.parse(readFileSync(new URL("package.json", packageFolder), "utf8")) as { version: string };
writeFileSync(new URL("schema/openapi-1.json", packageFolder), `${JSON.stringify(openApi(version), null, 2)}\n`);
