import { setRecent } from "../../core/collections/bounded.ts";

const NOTED_EVERY_MS = 60_000;
const MAX_KINDS = 32;

/**
 * Passes a note of each kind on once, and then at most once a minute, with how often it came: neither a stranger nor a store that comes and
 * goes must fill the disk.
 */
export function createNoteLimit<Note extends { readonly event: string; readonly message?: string }>(
  now: () => number,
  onNote: (note: Note) => void,
): (note: Note) => void {
  const kinds = new Map<string, { readonly notedAt: number; readonly more: number }>();
  return (note) => {
    const { event, message } = note;
    const kind = `${event} ${message}`.replace(/\d{1,20}/g, "0").slice(0, 200);
    const known = kinds.get(kind);
    const more = (known?.more ?? 0) + 1;
    const isQuiet = known !== undefined && Math.abs(now() - known.notedAt) < NOTED_EVERY_MS;
    setRecent(kinds, kind, isQuiet ? { ...known, more } : { notedAt: now(), more: 0 }, MAX_KINDS);
    if (isQuiet) return;
    const counted =
      known === undefined || message === undefined ? message : `${message} (${more} times since the last line)`;
    onNote(counted === message ? note : { ...note, message: counted });
  };
}

export function faultMessage(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
