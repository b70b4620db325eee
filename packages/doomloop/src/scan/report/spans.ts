/** Neighbouring positions, from the first to the last. Lists of spans are in order, and their spans do not touch. */
export type Span = readonly [first: number, last: number];

/** Adds a position to a list of spans. Positions mostly come in order, so it looks from the end. */
export function addTo(spans: Span[], position: number): void {
  let at = spans.length;
  while (at > 0 && spans[at - 1]![0] > position) at--;
  const before = spans[at - 1];
  if (before !== undefined && position <= before[1]) return;
  const after = spans[at];
  const touchesBefore = before !== undefined && before[1] === position - 1;
  const touchesAfter = after !== undefined && after[0] === position + 1;
  const joined: Span = [touchesBefore ? before[0] : position, touchesAfter ? after[1] : position];
  spans.splice(at - (touchesBefore ? 1 : 0), (touchesBefore ? 1 : 0) + (touchesAfter ? 1 : 0), joined);
}

/** How many positions the spans have. */
export function sizeOf(spans: readonly Span[]): number {
  return spans.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

export function includes(spans: readonly Span[], position: number): boolean {
  return spans.some(([first, last]) => position >= first && position <= last);
}

/** The spans as an ordered list without overlaps. */
export function joined(spans: readonly Span[]): readonly Span[] {
  const whole: Span[] = [];
  for (const span of [...spans].sort((one, other) => one[0] - other[0])) {
    const before = whole.at(-1);
    if (before !== undefined && span[0] <= before[1] + 1)
      whole[whole.length - 1] = [before[0], Math.max(before[1], span[1])];
    else whole.push(span);
  }
  return whole;
}

/** The part of the spans that comes after a position. */
export function after(spans: readonly Span[], position: number): readonly Span[] {
  return spans.flatMap(([first, last]): Span[] => (last > position ? [[Math.max(first, position + 1), last]] : []));
}

/** The positions that both lists have. */
export function shared(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  let at = 0;
  for (const [first, last] of spans) {
    while (at < others.length && others[at]![1] < first) at++;
    for (let next = at; next < others.length && others[next]![0] <= last; next++)
      found.push([Math.max(first, others[next]![0]), Math.min(last, others[next]![1])]);
  }
  return found;
}

/** The positions that only the first list has. */
export function without(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  return spans.flatMap(([first, last]) => {
    const left: Span[] = [];
    let from = first;
    for (const [begin, end] of shared([[first, last]], others)) {
      if (begin > from) left.push([from, begin - 1]);
      from = end + 1;
    }
    if (from <= last) left.push([from, last]);
    return left;
  });
}
