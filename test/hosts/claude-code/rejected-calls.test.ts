import { describe, expect, it } from "vitest";
import type { AgentPlace } from "../shared/coding-agents/coding-agent.ts";
import type { ModelTurn } from "../shared/coding-agents/model-turn.ts";
import { runAgent } from "../shared/coding-agents/run-agent.ts";
import { STOPPED_AT, STOPPED_MS, slowly } from "../shared/coding-agents/slow-loop.ts";
import { claudeCode } from "./claude-code.ts";

const agent = claudeCode();
const CALLS = 6;

type Call = NonNullable<ModelTurn["calls"]>[number];

const edit = ({ folder }: AgentPlace, old: string): Call => ({
  tool: "Edit",
  args: { file_path: `${folder}/result.txt`, old_string: old, new_string: "something" },
});

/** Calls that Claude Code rejects before it tells a hook about them. */
const KINDS: readonly { readonly name: string; callIn(place: AgentPlace): Call }[] = [
  { name: "edits of a file that was not read", callIn: (place) => edit(place, "nothing") },
  { name: "calls with wrong arguments", callIn: () => ({ tool: "Bash", args: { cmd: "ls" } }) },
  { name: "calls of a tool that does not exist", callIn: () => ({ tool: "search_files", args: { query: "x" } }) },
];

/** The request in which the model was told first, from 1. */
const toldAt = (requests: readonly string[]): number =>
  requests.findIndex((request) => request.includes("[doomloop]")) + 1;

describe("calls that claude-code rejects before its hooks run", () => {
  let where: AgentPlace;
  const change = (place: AgentPlace): void => {
    where = place;
  };

  it.for(KINDS)("are told to the model after the third equal failure: $name", async ({ callIn }) => {
    const script = (request: number): ModelTurn =>
      request > CALLS ? { text: "I give up." } : { calls: [callIn(where)] };
    const { requests, output } = await runAgent(agent, { script, hook: [], change });

    expect(toldAt(requests), output).toBe(4);
  });

  it("are told to the model after the third equal failure: edits whose text is not in the file", async () => {
    const script = (request: number): ModelTurn => {
      if (request === 1) return { calls: [{ tool: "Read", args: { file_path: `${where.folder}/result.txt` } }] };
      return request > CALLS ? { text: "I give up." } : { calls: [edit(where, "everything")] };
    };
    const { requests, output } = await runAgent(agent, { script, hook: [], change });

    expect(toldAt(requests), output).toBe(5);
  });

  it("end the run where nobody watches, because they cannot be refused", async () => {
    const script = (request: number): ModelTurn =>
      request > STOPPED_AT + 2 ? { text: "I give up." } : { calls: [KINDS[1]!.callIn(where)] };
    const { requests, output } = await runAgent(agent, { script: slowly(script, STOPPED_MS), hook: [], change });

    expect(toldAt(requests), output).toBe(4);
    expect(requests.length).toBeLessThanOrEqual(STOPPED_AT);
  });
});
