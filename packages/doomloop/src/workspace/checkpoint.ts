/** A state of the workspace that can be gone back to. */
export interface Checkpoint {
  /** Twelve hexadecimal digits. */
  readonly id: string;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly label?: string;
  /** `asked`: somebody asked for it. `safety`: a restore made it before it began. */
  readonly kind: "asked" | "safety";
  /** How many files it has. */
  readonly files: number;
  /** The commit that `HEAD` of the user's repository was at, if there was one. */
  readonly head?: string;
  /** What lies in the workspace and is not in it. */
  readonly leftOut: LeftOutSummary;
}

/** What no checkpoint has, and no restore touches. */
export interface LeftOutSummary {
  /** How many files and whole folders are left out because they are ignored. */
  readonly ignored: number;
  /** Folders with a git repository of their own, and git directories under whatever name. */
  readonly nested: readonly string[];
  /** Files above the limit. */
  readonly tooLarge: readonly string[];
  /** Files and folders that this user may not read. */
  readonly unreadable: readonly string[];
}
