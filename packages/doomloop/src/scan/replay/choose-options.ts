import { isDoomloopError } from "../../core/doomloop-error.ts";
import type { GuardOptions } from "../../core/options.ts";
import type { PresetName } from "../../core/policy/presets.ts";
import { createGuard } from "../../index.ts";
import { UsageError } from "../../system/usage-error.ts";
import { readConfig } from "../config/read-config.ts";

/** The options of a guard from a file and a preset's name, which wins. Throws a `UsageError` for what makes no sense. */
export async function chooseOptions(preset: string | undefined, configPath: string | undefined): Promise<GuardOptions> {
  const config = configPath === undefined ? {} : await readConfig(configPath);
  const options = preset === undefined ? config : { ...config, preset: preset as PresetName };
  try {
    createGuard(options);
  } catch (error) {
    if (!isDoomloopError(error)) throw error;
    const where = configPath === undefined ? "" : `${configPath}: `;
    throw new UsageError(`${where}${error.message}`, { cause: error });
  }
  return options;
}
