const figures = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A number, and with a noun its plural: `1 loop`, `12,345 loops`. */
export function count(number: number, noun?: string): string {
  const figure = figures.format(number);
  return noun === undefined ? figure : `${figure} ${noun}${number === 1 ? "" : "s"}`;
}
