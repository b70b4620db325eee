import type { FleetScope } from "./fleet-scope.ts";

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
   * The tool waits for something or looks at a job: patience is measured in waiting, not in calls.
   * @default false
   */
  readonly poll?: boolean | { readonly patienceMs: number };
  /**
   * `"never"`: an equal call after a success is refused at once. For what must not happen twice.
   * @default "watched"
   */
  readonly repeat?: "watched" | "never";
  /** Whether the tool changes the world. Inferred where it is not declared. */
  readonly changes?: boolean;
  /** Barren repeats of one call of this tool that make a finding, instead of the detectors' own thresholds. */
  readonly threshold?: number;
  /** The arguments that make two calls the same in substance, or a function that returns what is compared. */
  readonly identity?: DeclaredIdentity;
  /**
   * Whose world the tool's calls are about, for a fleet: the same for all workers (`"shared"`), each worker's `"own"`, or nothing that a
   * fleet should hear of (`"never"`). A function decides by arguments, and leaves the default alone if it returns undefined.
   * @default "shared" if the arguments name another host or something else that is unique in the world, otherwise "own"
   */
  readonly fleet?: FleetScope | ((args: unknown) => FleetScope | undefined);
}

/** Rules by tool name. */
export type ToolRules = Readonly<Record<string, ToolRule>>;
