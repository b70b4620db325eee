import { type ForeignRecord, textOf } from "../../transcripts/foreign-value.ts";

/** Tells the subagents of a session apart. */
export interface Sidechains {
  /** The subagent that a record belongs to; undefined for the main agent. */
  nameOf(record: ForeignRecord): string | undefined;
}

const MAX_KNOWN = 4096;

/**
 * Newer versions name the subagent (`agentId`, in streams `parent_tool_use_id`). Older ones only say that it is one: there
 * each record names the one before it, and the first of a chain names none.
 */
export function createSidechains(): Sidechains {
  const chainOf = new Map<string, string>();
  return {
    nameOf(record) {
      const parentCall = textOf(record.parent_tool_use_id);
      if (parentCall !== undefined) return parentCall;
      if (record.isSidechain !== true) return undefined;
      const agent = textOf(record.agentId);
      if (agent !== undefined) return agent;
      const own = textOf(record.uuid) ?? "sidechain";
      const chain = chainOf.get(textOf(record.parentUuid) ?? "") ?? own;
      chainOf.set(own, chain);
      if (chainOf.size > MAX_KNOWN) chainOf.delete(chainOf.keys().next().value!);
      return chain;
    },
  };
}
