/**
 * Why something was not read: no reader knows the file; it is a link that leads out of its folder; a pipe, a socket or a device; a folder
 * that is closed, or too deep; more files than are looked at.
 */
export type PassedReason = "unknown" | "link" | "special" | "closed" | "deep" | "many";

/** What a scan came across and did not read. */
export interface PassedOver {
  readonly path: string;
  readonly reason: PassedReason;
}

/** Whether a folder was passed over, and whatever lies in it. */
export function isFolder({ reason }: PassedOver): boolean {
  return reason === "closed" || reason === "deep" || reason === "many";
}
