import { baseName } from "../../transcripts/file-names.ts";
import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptSource } from "../../transcripts/reader.ts";
import { createSeenIds } from "../../transcripts/run-events.ts";

const MAX_KNOWN = 4096;

/** Finds subagents' records among those of the main agent. */
interface CarriedRecords {
  /** The subagent's record within a `progress` record, as its own file would contain it. Undefined if there is none, or a known one. */
  in(progress: ForeignRecord): ForeignRecord | undefined;
}

const SAFE_ID = /^[\w-]{1,80}$/;

/** If a subagent has its own file beside the main agent's, its records are read there. */
export function createCarriedRecords({ path, hasFile = () => false }: TranscriptSource): CarriedRecords {
  const seen = createSeenIds();
  const apart = new Map<string, boolean>();
  const hasOwnFile = (agent: string): boolean => {
    const known = apart.get(agent);
    if (known !== undefined) return known;
    const name = `agent-${agent}.jsonl`;
    const folder = path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
    const places = [`${folder}${baseName(path)}/subagents/${name}`, `${folder}${name}`];
    const isApart = SAFE_ID.test(agent) && places.some(hasFile);
    if (apart.size < MAX_AGENTS) apart.set(agent, isApart);
    return isApart;
  };
  return {
    in(progress) {
      const data = recordOf(progress.data);
      const carried = recordOf(data?.message);
      if (data?.type !== "agent_progress" || carried === undefined) return undefined;
      const agentId = textOf(data.agentId) ?? textOf(progress.agentId) ?? textOf(progress.parentToolUseID);
      const id = textOf(carried.uuid);
      if (agentId === undefined || hasOwnFile(agentId) || (id !== undefined && !seen.add(id))) return undefined;
      const { sessionId, cwd, version, timestamp } = progress;
      const type = carried.type ?? recordOf(carried.message)?.role;
      return { timestamp, ...carried, sessionId, cwd, version, type, agentId, isSidechain: true };
    },
  };
}

const MAX_AGENTS = 4096;

/** Distinguishes the subagents of a session. */
interface Sidechains {
  /** The subagent that a record belongs to. Undefined for the main agent. */
  nameOf(record: ForeignRecord): string | undefined;
}

/**
 * Newer versions name the subagent (`agentId`, in streams `parent_tool_use_id`). Older ones only mark its records. There, each record names
 * the one before it, and the first of a chain names none.
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
