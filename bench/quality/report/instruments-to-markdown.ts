import type { Instrument } from "../instruments/instrument.ts";
import { OURS } from "../judged-run.ts";
import { toTable } from "./table.ts";
import { inUnit } from "./units.ts";

/** All figures in one table: a row for each, ours beside those of everybody else. */
export function instrumentsToMarkdown(instruments: readonly Instrument[]): string {
  const detectors = [
    ...new Set(instruments.flatMap(({ figures }) => figures.flatMap(({ values }) => Object.keys(values)))),
  ];
  const rows = instruments.flatMap(({ name, figures }) =>
    figures.map((figure, at) => [
      at === 0 ? name : "",
      figure.name,
      ...detectors.map((detector) => inUnit(figure.values[detector], figure.unit)),
    ]),
  );
  const explained = detectors.filter((name) => name !== shortName(name));
  return [
    ...instruments.map(({ name, data }) => `- ${name}: ${data}`),
    "",
    ...toTable(["instrument", "figure", ...detectors.map(columnOf)], rows, 2),
    ...(explained.length === 0 ? [] : ["", "The published rules, which only speak:", ""]),
    ...explained.map((name) => `- ${name}`),
  ].join("\n");
}

/** A detector's name without its explanation; a founding document goes by its number. */
export function shortName(detector: string): string {
  return detector.replace(/:.*/s, "").replace("founding document ", "");
}

function columnOf(detector: string): string {
  return detector === OURS ? `**${detector}**` : shortName(detector);
}
