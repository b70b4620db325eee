/** What the servers say of their tools: whether a tool only reads. */
export interface ReadOnlyHints {
  of(tool: string): boolean | undefined;
  /** Learns from the answer to `tools/list`. */
  learn(list: unknown): void;
}

const MAX_TOOLS = 2000;

const byClient = new WeakMap<object, ReadOnlyHints>();

/** The hints of a client's server. All runs over one client share them, because tools are listed once and used by many. */
export function readOnlyHints(client: object): ReadOnlyHints {
  const hints = byClient.get(client) ?? createHints();
  byClient.set(client, hints);
  return hints;
}

function createHints(): ReadOnlyHints {
  const byTool = new Map<string, boolean>();
  return {
    of: (tool) => byTool.get(tool),
    learn(list) {
      const { tools } = list as { tools?: readonly { name: string; annotations?: { readOnlyHint?: unknown } }[] };
      for (const { name, annotations } of tools ?? []) {
        byTool.delete(name);
        const hint = annotations?.readOnlyHint;
        if (typeof hint === "boolean" && byTool.size < MAX_TOOLS) byTool.set(name, hint);
      }
    },
  };
}
