/** What stands before the payload: the time, a number and the type. */
const MAX_HEAD = 160;
const EVENT = '"type":"event_msg","payload":{"type":"';
const READ = 'token_count"';
const PLAIN = /^[a-z_]{1,60}"/;

/** What of a line needs parsing: of the events for Codex's own screen, which repeat what was said and printed, only what answers took. */
export function trimLine(line: string): string {
  const head = line.slice(0, MAX_HEAD);
  const at = head.indexOf(EVENT);
  if (at < 0 || !head.startsWith('{"timestamp":"') || !line.endsWith("}}")) return line;
  const type = line.slice(at + EVENT.length, at + EVENT.length + MAX_HEAD);
  return type.startsWith(READ) || !PLAIN.test(type) ? line : "";
}
