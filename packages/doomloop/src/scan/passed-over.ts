/**
 * Why something was not read. `unknown`: no reader recognises the file. `old`: its format is no longer read. `link`: it leads out of its folder. `special`:
 * a pipe, a socket or a device. `closed`: no permission. `deep`: nested too deeply. `many`: the folder holds more files
 * than the limit.
 */
export type PassedReason = "unknown" | "old" | "link" | "special" | "closed" | "deep" | "many";

/** Something that the scan found and did not read. */
export interface PassedOver {
  readonly path: string;
  readonly reason: PassedReason;
}

/** Whether a whole folder was skipped, rather than one file. */
export function isFolder({ reason }: PassedOver): boolean {
  return reason === "closed" || reason === "deep" || reason === "many";
}
