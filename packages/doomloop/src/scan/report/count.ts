/** A number, and with a noun its plural: `12,345`, `1 run`, `2 loops in all`. Of several words, the first takes the plural. */
export function count(number: number, noun?: string): string {
  const figure = Math.round(number).toLocaleString("en-US");
  if (noun === undefined) return figure;
  const [first, ...rest] = noun.split(" ");
  return [figure, number === 1 ? first : `${first}s`, ...rest].join(" ");
}
