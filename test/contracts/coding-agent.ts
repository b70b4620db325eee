import { describe, expect, it } from "vitest";
import type { CodingAgent, HookedAgent } from "../../packages/doomloop/src/agents/coding-agent.ts";
import type { HookAnswer } from "../../packages/doomloop/src/agents/hook/dialect.ts";
import type { HookState } from "../../packages/doomloop/src/agents/hook/hook-state.ts";
import { runHook } from "../../packages/doomloop/src/agents/hook/run-hook.ts";
import { CODING_AGENTS, hookedAgentOf } from "../../packages/doomloop/src/agents/index.ts";
import type { OwnFile, SharedFile } from "../../packages/doomloop/src/agents/settings/agent-settings.ts";
import { hookCommand } from "../../packages/doomloop/src/agents/settings/hook-command.ts";
import { addHooks, ownCommands, removeHooks } from "../../packages/doomloop/src/agents/settings/shared-hooks.ts";
import { wayOutContract } from "./coding-agent-way-out.ts";

const PROGRAM = {
  node: "/usr/bin/node",
  folder: "/opt/doomloop/dist/agents/hook-client",
  state: "/home/me/.local/state/doomloop",
};
const PLACE = { env: {}, platform: "linux", home: "/home/dev" } as const;
const LAPS = 25;
const LAP_MS = 5000;

/** What every coding agent must do with the parts that it has. */
export function codingAgentContract(agent: CodingAgent): void {
  const { name, label, hook, settings, reader, doctor } = agent;

  describe(`${label} as a coding agent`, () => {
    it("is in the list once, with a hook or a reader", () => {
      expect(CODING_AGENTS.filter((other) => other.name === name)).toEqual([agent]);
      expect(hook ?? reader).toBeDefined();
    });

    it.runIf(reader)("has a reader of the same name", () => {
      expect(reader?.agent).toBe(name);
    });

    it.runIf(settings)("can be tried by doctor if init can wire it", () => {
      expect(doctor?.sampleEvents ?? doctor?.tryPlugin).toBeDefined();
    });

    it.runIf(settings)("finds its own commands in what init writes, and nothing after they are removed", () => {
      for (const file of filesOf(agent)) {
        const text = file.type === "own" ? file.text : addHooks("", file)!;
        const commands = doctor?.commandsIn?.(text, file.path, "linux") ?? ownCommands(text);
        expect(commands).not.toEqual([]);
        if (file.type === "own") expect(settings?.isOwnFile?.(text)).toBe(true);
        else expect(removeHooks(text)).toBe("{}\n");
      }
    });

    it.runIf(hook).each([{}, { hook_event_name: "Other" }, { session_id: "s" }])("cannot read %j", (input) => {
      expect(hook?.read(input)).toBeUndefined();
    });

    it.runIf(hook && doctor?.sampleEvents)("reads what it is told in a loop, or knows that it does not matter", () => {
      for (const { input } of doctor?.sampleEvents?.({ session: "s", cwd: "/work", at: 0 }) ?? [])
        expect(hook?.read(input as Record<string, unknown>)).not.toBeUndefined();
    });

    if (hook !== undefined) describe("on its way out", () => wayOutContract(agent as HookedAgent));

    describe.runIf(hook && doctor?.sampleEvents)("in a loop", () => {
      it("is recognised by its events alone", () => {
        for (const { input } of doctor?.sampleEvents?.({ session: "s", cwd: "/work", at: 0 }) ?? []) {
          expect(hookedAgentOf(input as Record<string, unknown>, undefined)?.name).toBe(name);
        }
      });

      it("is told, and nothing is refused while somebody watches", () => {
        const answers = answersIn(agent as HookedAgent, false);

        expect(answers).toContain("words");
        expect(answers).not.toContain("refusal");
        expect(answers).not.toContain("end");
      });

      it("is refused a call or ended if nobody watches and it does not listen", () => {
        expect(
          answersIn(agent as HookedAgent, true).filter((type) => type === "refusal" || type === "end"),
        ).not.toEqual([]);
      });
    });
  });
}

function filesOf(agent: CodingAgent): readonly (SharedFile | OwnFile)[] {
  const command = (shell: Parameters<typeof hookCommand>[1], isStatusLine?: boolean) =>
    hookCommand({ ...PROGRAM, agent: agent as HookedAgent, startsOver: false, isStatusLine }, shell);
  return agent.settings?.files(PLACE, { command, seconds: 5 }) ?? [];
}

/** What the hook answers to the sample events, lap after lap. */
function answersIn({ hook, doctor }: HookedAgent, isUnattended: boolean): readonly HookAnswer["type"][] {
  const answers: HookAnswer["type"][] = [];
  let saved: HookState | undefined;
  for (let at = 0; at < LAPS; at++) {
    let isRefused = false;
    for (const { input, isResult } of doctor?.sampleEvents?.({ session: "s", cwd: "/work", at }) ?? []) {
      const read = hook.read(input as Record<string, unknown>);
      if (!read || (isResult && isRefused)) continue;
      const reportFault = (fault: unknown) => expect(fault).toBeUndefined();
      const settings = { isUnattended, guardOptions: {}, now: at * LAP_MS, reportFault };
      const { state, answer } = runHook(read, hook, settings, saved);
      saved = state;
      isRefused ||= answer.type === "refusal";
      answers.push(answer.type);
    }
  }
  return answers;
}
