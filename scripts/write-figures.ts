import { readFigures } from "../bench/quality/committed-figures.ts";
import { readSpeed, withFigures } from "./figures/figure-tables.ts";
import { keepFile, readText, report } from "./repository.ts";

/** Writes the tables of figures on the pages from what `bench:quality` and `bench:speed` have measured last, with `--write`. */
const pages = ["README.md", "docs/quality.md", "docs/speed.md"];
const measured = { quality: readFigures(), speed: readSpeed() };
const faults = pages.flatMap((page) =>
  keepFile(page, withFigures(readText(page), measured), "scripts/write-figures.ts"),
);
report(faults, `${pages.length} pages with figures`);
