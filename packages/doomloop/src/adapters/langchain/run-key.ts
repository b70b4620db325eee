/** What LangGraph tells every node of the run that it belongs to. */
export interface RuntimeLike {
  readonly configurable?: { readonly [key: string]: unknown } | undefined;
  /** Made anew for each run: the one thing that tells runs apart which have no thread. */
  readonly writer?: unknown;
  readonly signal?: unknown;
}

/**
 * The key of a run: its thread, and inside of a node of another graph that node's name with the id of its task. A run without
 * either is known by its writer. Undefined where a node is called by hand.
 */
export function runKey({ configurable = {}, writer }: RuntimeLike = {}): string | object | undefined {
  const { thread_id: thread, checkpoint_ns: space } = configurable;
  const parent = typeof space === "string" ? space.split("|").slice(0, -1).join("|") : "";
  const key = [thread === undefined ? "" : String(thread), parent].filter(Boolean).join("|");
  if (key !== "") return key;
  return typeof writer === "function" ? writer : undefined;
}
