import { printable } from "../format/printable.ts";

const MAX_LENGTH = 300;

/** Text that somebody else wrote, in one line: as text, cut, with nothing invisible, and unable to turn its surroundings around. */
export function Foreign({ text }: { readonly text: string }) {
  const whole = String(text);
  const shown = whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH).toWellFormed()}…` : whole;
  return <bdi>{printable(shown)}</bdi>;
}
