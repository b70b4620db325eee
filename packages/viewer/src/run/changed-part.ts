export interface ChangedPart {
  readonly start: string;
  readonly before: string;
  readonly after: string;
  readonly end: string;
}

/** What two lines share at both ends, and what differs in between. No character is cut in two. */
export function changedPart(before: string, after: string): ChangedPart {
  const one = [...before];
  const other = [...after];
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return {
    start: one.slice(0, start).join(""),
    before: one.slice(start, one.length - end).join(""),
    after: other.slice(start, other.length - end).join(""),
    end: one.slice(one.length - end).join(""),
  };
}
