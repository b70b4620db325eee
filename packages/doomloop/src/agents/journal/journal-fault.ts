/**
 * Why a state could not be kept: what the system called it (`ENOSPC`, `EROFS`, `EACCES`, ...), or
 *
 * - `busy`: others were always first, until the time was up
 * - `not-private`: the folder is a symbolic link, or belongs to or can be changed by somebody else
 * - `not-a-file`: a journal is something else than a file of ours
 * - `short-write`: the system took only a part of the record
 * - `too-large`: the state does not fit into a journal
 */
export interface JournalFault {
  readonly code: string;
  readonly message: string;
}

/** Thrown where the journal itself finds a fault, and never out of it. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function faultOf(error: unknown): JournalFault {
  const { code, message } = error as Partial<JournalFault>;
  return { code: typeof code === "string" ? code : "unknown", message: message ?? String(error) };
}

/** Whether the system says that a file or a folder is not there. */
export function isAbsence(error: unknown): boolean {
  return (error as Partial<JournalFault> | null)?.code === "ENOENT";
}
