/** A number with its noun: `1 run`, `12,345 runs`. Of several words, the first takes the plural. */
export function count(number: number, noun: string): string {
  const [first, ...rest] = noun.split(" ");
  const plural = number === 1 ? first : `${first}s`;
  return [number.toLocaleString("en-US"), plural, ...rest].join(" ");
}
