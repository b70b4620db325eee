import { requireFields, similarName } from "../../checks/check-options.ts";
import { DoomloopError, isDoomloopError } from "../../core/doomloop-error.ts";
import { checkJsonConfig, type JsonConfig } from "../../counting/configured-guard.ts";
import type { ExcerptKind } from "../../opinion/show-text.ts";
import { printable } from "../../system/printable.ts";
import { type ForeignRecord, recordOf } from "../../transcripts/foreign-value.ts";
import { Problem } from "./problem.ts";

/** What a guard can be told in JSON, and what else holds for its run. */
export interface PolicyOptions extends JsonConfig {
  /**
   * What a question shows of the run: text that is cut and masked, or only shapes.
   * @default "text"
   */
  readonly opinionShows?: ExcerptKind | undefined;
}

/** The rules by which runs get their options. */
export type Policies = ReturnType<typeof readPolicies>;

const PRESET_POLICIES: Readonly<Record<string, PolicyOptions>> = {
  balanced: {},
  ...Object.fromEntries(["conservative", "aggressive", "shadow"].map((preset) => [preset, { preset }])),
};
const MAX_TOOLS = 256;
/** What a client sets stays in memory as long as its run. It is enough for a short rule for each tool. */
const MAX_OWN_LENGTH = 8_192;
/** Names that the client wrote may make it longer. */
const MAX_MESSAGE = 500;

/**
 * Reads the service's configuration: `{"usual": "team", "policies": {"team": {"preset": "balanced"}}}`. Without one, each preset is a policy.
 *
 * Clients choose among the policies, and set for their own runs what theirs says nothing about. Throws a `DoomloopError` for a configuration
 * that makes no sense.
 */
export function readPolicies(configuration: unknown = undefined) {
  const given = configuration === undefined ? {} : recordOf(configuration);
  if (given === undefined) throw invalid("an object is required");
  const { usual, policies = PRESET_POLICIES, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(`${unknown} is not known; policies and usual are`);
  const named = new Map(Object.entries(recordOf(policies) ?? {}));
  for (const [name, options] of named) checkPolicy(options, (words) => invalid(`policies: ${name}: ${words}`));
  if (named.size === 0) throw invalid("policies: at least one is required");
  const [first] = named.keys();
  const chosen = (usual ?? first) as string;
  if (!named.has(chosen)) throw invalid(`usual: no policy is called ${JSON.stringify(chosen)}`);
  return {
    /** The name of the policy of runs that ask for none. */
    usual: chosen,
    /** The options of a new run. Throws a `Problem` if the client asks for something that no run could have. */
    optionsFor(policy = chosen, own: ForeignRecord = {}): PolicyOptions {
      const options = named.get(policy) as PolicyOptions | undefined;
      if (options === undefined) {
        const names = [...named.keys()];
        const meant = similarName(policy, names);
        const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
        throw new Problem(400, `policy: there is no such policy here; known: ${names.join(", ")}${hint}`);
      }
      if (Object.keys(recordOf(own.rules) ?? {}).length > MAX_TOOLS)
        throw new Problem(400, `options: rules: at most ${MAX_TOOLS} are accepted`);
      if (Object.keys(own).length === 0) return options;
      const rules = { ...recordOf(own.rules), ...options.rules };
      const merged = { ...own, ...options, ...(Object.keys(rules).length > 0 && { rules }) } as PolicyOptions;
      checkPolicy(merged, (words) => new Problem(400, `options: ${printable(words.slice(0, MAX_MESSAGE))}`));
      if (JSON.stringify(own).length > MAX_OWN_LENGTH)
        throw new Problem(400, `options: at most ${MAX_OWN_LENGTH} characters of JSON are accepted`);
      return merged;
    },
  };
}

/** Throws what `refusal` makes of the words for options that no run could have. */
export function checkPolicy(given: unknown, refusal: (words: string) => Error): asserts given is PolicyOptions {
  try {
    const { opinionShows, ...options } = requireFields("options", given);
    if (opinionShows !== undefined && opinionShows !== "text" && opinionShows !== "shapes")
      throw new DoomloopError("invalid-option", 'opinionShows: "text" or "shapes" is required');
    checkJsonConfig(options);
  } catch (error) {
    if (!isDoomloopError(error)) throw error;
    throw refusal(error.message);
  }
}

function invalid(message: string): DoomloopError {
  return new DoomloopError("invalid-option", message);
}
