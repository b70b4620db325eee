import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(resolve(root, path), "utf8");

interface Panel {
  readonly targets?: readonly { readonly expr: string }[];
}

/** The rows of the tables of docs/telemetry.md that begin with a name of ours or of OpenTelemetry's. */
function documentedRows(): string[][] {
  return read("docs/telemetry.md")
    .split("\n")
    .filter((line) => /^\| `(?:doomloop|gen_ai)\./.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}

/** The metrics that are documented: their names in OpenTelemetry, in Prometheus, and their units. */
export function documentedNames(): { name: string; prometheus: string; type: string }[] {
  return documentedRows()
    .filter(([, prometheus]) => prometheus?.startsWith("doomloop_"))
    .map(([name, prometheus, type]) => ({ name: name!, prometheus: prometheus!, type: type! }));
}

/** The metrics that are documented, as Prometheus names them. */
export function documentedMetrics(): string[] {
  return documentedNames().map(({ prometheus }) => prometheus);
}

/** The attributes of metrics that are documented, as Prometheus names them. */
export function documentedAttributes(): string[] {
  return documentedRows()
    .filter(([, where]) => where === "metrics" || where === "both")
    .map(([name]) => name!.replaceAll(".", "_"));
}

/** What the panels of the dashboard ask for. */
export function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(read("deploy/grafana-dashboard.json")) as { panels: readonly Panel[] };
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** The text of the alert rules. */
export function alertRules(): string {
  return read("deploy/prometheus-alerts.yml");
}
