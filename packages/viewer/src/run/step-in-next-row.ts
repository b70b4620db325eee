/** The step above (-1) or below (1) one, by where they stand on the screen; the step itself where there is none. */
export function stepInNextRow(tiles: readonly HTMLElement[], selected: number, direction: -1 | 1): number {
  const here = tiles[selected]?.getBoundingClientRect();
  if (here === undefined) return selected;
  let best = selected;
  let bestTop = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let index = selected + direction; tiles[index] !== undefined; index += direction) {
    const { top, left } = tiles[index]!.getBoundingClientRect();
    if (Math.abs(top - here.top) < 2) continue;
    if (best !== selected && Math.abs(top - bestTop) > 2) break;
    const distance = Math.abs(left - here.left);
    if (distance >= bestDistance) continue;
    best = index;
    bestTop = top;
    bestDistance = distance;
  }
  return best;
}
