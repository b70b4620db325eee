import { printable } from "../format/printable.ts";

const MAX_LENGTH = 300;

/** Text that somebody else wrote, in one line: as text, cut, with nothing invisible, and unable to turn its surroundings around. */
export function Foreign({ text, most = MAX_LENGTH }: { readonly text: string; readonly most?: number }) {
  const whole = String(text);
  const shown = whole.length > most ? `${whole.slice(0, most).toWellFormed()}…` : whole;
  return <bdi>{printable(shown)}</bdi>;
}
