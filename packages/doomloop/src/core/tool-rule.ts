/**
 * Whose world a call is about. `shared`: it is the same for all workers of a fleet · `own`: each worker, or each group of workers that
 * says so, has its own · `never`: the fleet hears nothing of it.
 */
export type FleetScope = "shared" | "own" | "never";

/** How a tool's rule declares which arguments make two calls the same. */
export type DeclaredIdentity = readonly string[] | ((args: unknown) => unknown);

/** What a host says about one of its tools. */
export interface ToolRule {
  /**
   * Ignores calls of the tool: they neither count nor interrupt what is counted. A function decides by arguments.
   * @default false
   */
  readonly ignore?: boolean | ((args: unknown) => boolean);
  /**
   * The tool polls: it waits for something or checks on a job. The guard then measures waiting time instead of counting calls.
   * @default false
   */
  readonly poll?: boolean | { readonly patienceMs: number };
  /**
   * `"never"`: after a success, the same call is refused at once. For actions that must not happen twice.
   * @default "watched"
   */
  readonly repeat?: "watched" | "never";
  /** Whether the tool changes anything. Inferred if you leave it out. */
  readonly changes?: boolean;
  /** How many repeats of one call without progress make a finding for this tool. Replaces the detectors' own thresholds. */
  readonly threshold?: number;
  /** The arguments to compare when deciding whether two calls are the same, or a function that returns what to compare. */
  readonly identity?: DeclaredIdentity;
  /**
   * Whose world the tool's calls are about, for a fleet: the same for all workers (`"shared"`), each worker's `"own"`, or nothing that a
   * fleet should learn of (`"never"`). A function decides by arguments; if it returns undefined, the default applies.
   * @default "shared" if the arguments name another host or something else that is unique in the world, otherwise "own"
   */
  readonly fleet?: FleetScope | ((args: unknown) => FleetScope | undefined);
}

/** Rules by tool name. */
export type ToolRules = Readonly<Record<string, ToolRule>>;
