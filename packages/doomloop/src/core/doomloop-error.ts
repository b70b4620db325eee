const ERROR_MARKER = Symbol.for("doomloop.error");

/** What a caller did wrong, or what `doomloop/workspace` could not do, as a code for programs. */
export type DoomloopErrorCode =
  | "invalid-option"
  | "invalid-snapshot"
  | "invalid-trace"
  | "misuse"
  | "git-missing"
  | "unknown-checkpoint"
  | "workspace-busy"
  | "workspace-fault"
  | "store-fault";

/**
 * A caller's mistake. It is thrown at construction and never from `observe`: mistakes there have the code `misuse` and go to `onFault`.
 * The functions of a workspace throw it, too.
 */
export class DoomloopError extends Error {
  override readonly name = "DoomloopError";
  readonly code: DoomloopErrorCode;
  readonly [ERROR_MARKER] = true;

  constructor(code: DoomloopErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether a value is a {@link DoomloopError}, even from another copy of this library. */
export function isDoomloopError(value: unknown): value is DoomloopError {
  return typeof value === "object" && value !== null && (value as { [ERROR_MARKER]?: unknown })[ERROR_MARKER] === true;
}

/** Throws unless an option is an integer of at least `minimum` and at most `maximum`. */
export function requireInteger(
  where: string,
  value: number,
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): void {
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return;
  const range = typeof value === "number" && value > maximum ? `at most ${maximum}` : `at least ${minimum}`;
  throw new DoomloopError("invalid-option", `${where}: an integer of ${range} is required, got ${String(value)}`);
}
