import { endsInLaps, holdsAt } from "./holds-at.ts";
import { canonicalText, type RecordedStep } from "./recorded-step.ts";

const PRIMARY = new Set("path file_path command pattern query url content filename offset limit".split(" "));
const FILE_READ = /^\s*(?:cat|head|tail)\s(?:.*\s)?([^\s-]\S*)\s*$/;

/** Founding document 001: three equal calls in a row, or four that share tool and primary arguments. */
export const founding001 = holdsAt(
  (steps, at) =>
    endsInLaps(steps, at, { period: 1, laps: 3, identity: ({ key }) => key }) ||
    endsInLaps(steps, at, { period: 1, laps: 4, identity: fingerprint }),
);

function fingerprint({ tool, args }: RecordedStep): string {
  const entries = typeof args === "object" && args !== null ? Object.entries(args) : [];
  const command = entries.find(([name]) => name === "command")?.[1];
  const file = typeof command === "string" && !/[|>;]/.test(command) ? FILE_READ.exec(command)?.[1] : undefined;
  if (file !== undefined) return `${tool}:file_read:${file}`;
  return `${tool} ${canonicalText(Object.fromEntries(entries.filter(([name]) => PRIMARY.has(name))))}`;
}
