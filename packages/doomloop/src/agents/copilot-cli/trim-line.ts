/** Begins of records that lead nowhere, and of which there are many. */
const PASSED_OVER = ["hook.", "assistant.turn_", "tool.execution_start", "tool.execution_partial"].map(
  (type) => `{"type":"${type}`,
);

/** What of a line needs parsing: nothing of hooks, of beginnings and of ends. */
export function trimLine(line: string): string {
  return PASSED_OVER.some((begin) => line.startsWith(begin)) && line.endsWith("}") ? "" : line;
}
