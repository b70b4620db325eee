/** The address of a run within the page, and of one of its calls. Calls count from 1 there, as they do on the page. */
export function runLink(id: string, call?: number): string {
  return `#/run/${encodeURIComponent(id.toWellFormed())}${call === undefined ? "" : `/${call}`}`;
}
