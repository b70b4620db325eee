/** Shares a whole number out by weights, in whole parts that add up to it; in equal parts where nothing weighs. */
export function shareOut(total: number, weights: readonly number[]): readonly number[] {
  const heap = weights.reduce((sum, weight) => sum + weight, 0);
  const sum = heap > 0 ? heap : weights.length;
  let before = 0;
  let given = 0;
  return weights.map((weight, at) => {
    before += heap > 0 ? weight : 1;
    const due = at === weights.length - 1 ? total : Math.min(total, Math.round(total * (before / sum)));
    const part = due - given;
    given = due;
    return part;
  });
}
