import { openApi } from "../../packages/doomloop/src/service/decisions/openapi.ts";
import { readManifest } from "../package/manifest.ts";
import { keepFile } from "../repository.ts";

/** The description of the service that the package contains. */
export function keepOpenApi(): readonly string[] {
  const text = `${JSON.stringify(openApi(readManifest().version), null, 2)}\n`;
  return keepFile("packages/doomloop/schema/openapi-1.json", text);
}
