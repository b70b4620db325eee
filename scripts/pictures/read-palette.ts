/** The colours of the report page: what a picture shows looks as it does there. */
export interface Palette {
  readonly light: Readonly<Record<string, string>>;
  readonly dark: Readonly<Record<string, string>>;
  /** By the class that `stepColour` gives. */
  readonly tiles: Readonly<Record<string, Tile>>;
  readonly mono: string;
  readonly sans: string;
}

interface Tile {
  readonly fill: readonly [light: string, dark: string];
  readonly onFill: readonly [light: string, dark: string];
}

/** Reads the colours from the style sheets of the report page, `base.css` and `strip.css`. */
export function readPalette(base: string, strip: string): Palette {
  const names = [...base.matchAll(/--([a-z-]+): light-dark\((#\w+), (#\w+)\);/g)];
  const light = Object.fromEntries(names.map(([, name, value]) => [name, value!]));
  const dark = Object.fromEntries(names.map(([, name, , value]) => [name, value!]));
  const pairOf = (value: string): readonly [string, string] => {
    const [, name] = /^var\(--([a-z-]+)\)$/.exec(value) ?? [];
    if (name !== undefined) return [light[name]!, dark[name]!];
    const [, one, other] = /^light-dark\((#\w+), (#\w+)\)$/.exec(value) ?? [];
    return one === undefined ? [value, value] : [one, other!];
  };
  const tiles = [...strip.matchAll(/^\.(colour-\w+) \{\n {2}--fill: (.+);\n {2}--on-fill: (.+);\n\}/gm)];
  return {
    light,
    dark,
    tiles: Object.fromEntries(
      tiles.map(([, name, fill, onFill]) => [name, { fill: pairOf(fill!), onFill: pairOf(onFill!) }]),
    ),
    mono: required(/--mono: (.+);/.exec(base)?.[1]),
    sans: required(/font-family: (.+);/.exec(base)?.[1]),
  };
}

function required(found: string | undefined): string {
  if (found === undefined)
    throw new Error("pictures: fonts in the style sheet of the report page are required, got none");
  return found;
}
