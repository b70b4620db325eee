/** What LangGraph tells every node about its run. */
export interface RuntimeLike {
  readonly configurable?: { readonly [key: string]: unknown } | undefined;
  /** A new object for each run. Nothing else identifies a run without a thread. */
  readonly writer?: unknown;
  readonly signal?: unknown;
}

/**
 * The key of a run: its thread, and inside a node of another graph also the name of that node with the id of its task. A run without
 * either is identified by its writer. Undefined if a node is called by hand.
 */
export function runKey({ configurable = {}, writer }: RuntimeLike = {}): string | object | undefined {
  const { thread_id: thread, checkpoint_ns: space } = configurable;
  const parent = typeof space === "string" ? space.split("|").slice(0, -1).join("|") : "";
  const key = [thread === undefined ? "" : String(thread), parent].filter(Boolean).join("|");
  if (key !== "") return key;
  return typeof writer === "function" ? writer : undefined;
}
