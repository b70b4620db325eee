import type { ReadItems } from "./read-items.ts";

/** What a reader told, one item a line, for people to check and for a test to compare. */
export function toldItems({ order, sessions, events, usages }: ReadItems): string {
  let latest: string | undefined;
  const lines = order.map(({ kind, run, at }) => {
    const prefix = run === latest ? "" : `# ${run}\n`;
    latest = run;
    if (kind === "session") return `${prefix}session ${JSON.stringify(sessions[at]!.facts)}`;
    if (kind === "usage") return `${prefix}  usage ${JSON.stringify(usages[at]!.usage)}`;
    if (kind === "end") return `${prefix}end`;
    const { event, at: time } = events[at]!;
    const { type, ...rest } = event as { type: string } & Record<string, unknown>;
    delete rest.at;
    const fields = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
    return `${prefix}  ${time === undefined ? "" : `${new Date(time).toISOString()} `}${type}${fields}`;
  });
  return `${lines.join("\n")}\n`;
}
