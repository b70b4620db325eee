import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitrarySettings } from "../../../../../test/arbitrary-settings.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { hookEntries } from "./agent-settings.ts";
import { addHooks, ownCommands, removeHooks, whyNotAdded } from "./shared-hooks.ts";

const COMMAND =
  "/bin/sh '/opt/my tools/doomloop/dist/agents/hook-client/hook.sh' /state /usr/bin/node 1 'hook/claude-code?v=0.1.0' 2>/dev/null || :";
const HOOKS = hookEntries(["PreToolUse", "PostToolUse", "Stop"], { type: "command", command: COMMAND, timeout: 5 });

const added = (text: string): string => addHooks(text, { hooks: HOOKS })!;

/** What agents make of a text: JSON without comments and without commas before a bracket. */
function meaningOf(text: string): unknown {
  const plain = text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted: string | undefined) => quoted ?? "")
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])/g, (_, quoted: string | undefined) => quoted ?? "");
  return JSON.parse(plain.replace(/^\uFEFF/, ""));
}

/** Lists that are empty say nothing. Those that we added an entry to go with it. */
function withoutEmptyLists({ hooks = {}, ...rest }: { hooks?: Record<string, unknown[]> }): unknown {
  const lists = Object.entries(hooks).filter(([event, list]) => list.length > 0 || !Object.hasOwn(HOOKS, event));
  return lists.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(lists) };
}

describe("addHooks", () => {
  it("adds a line for each event behind what is there, indented as the rest", () => {
    expect(added('{\n    "model": "opus"\n}\n')).toBe(
      `{\n    "model": "opus",\n    "hooks": {\n        "PreToolUse": [{ "matcher": "*", "hooks": [{ "type": "command", "command": "${COMMAND}", "timeout": 5 }] }],\n        "PostToolUse": [{ "matcher": "*", "hooks": [{ "type": "command", "command": "${COMMAND}", "timeout": 5 }] }],\n        "Stop": [{ "hooks": [{ "type": "command", "command": "${COMMAND}", "timeout": 5 }] }]\n    }\n}\n`,
    );
  });

  it("adds behind other hooks of an event, and leaves comments where they belong", () => {
    const text =
      '{\n  "hooks": {\n    "PreToolUse": [\n      { "hooks": [] } // mine\n    ] /* end */\n  }, // all\n}\n';
    const lines = added(text).split("\n");

    expect(lines[3]).toBe('      { "hooks": [] }, // mine');
    expect(lines[4]).toContain('      { "matcher": "*", "hooks"');
    expect(lines[5]).toBe("    ], /* end */");
    expect(lines.at(-3)).toBe("  }, // all");
  });

  it("keeps a text of one line on one line, and carriage returns where they are used", () => {
    expect(added('{"a":1}').split("\n")).toHaveLength(1);
    expect(added('{\r\n\t"a": 1\r\n}\r\n').replaceAll("\r\n", "")).not.toContain("\n");
  });

  it.each([
    ["a list", "[]", "not JSON"],
    ["broken JSON", '{"a": }', "not JSON"],
    ["hooks that are a list", '{"hooks": [], "a": {"b": 1, "b": 2}}', '"hooks" must be an object'],
    ["an event that is no list", '{"hooks": {"Stop": {}}}', '"hooks" must be an object'],
    ["hooks that stand there twice", '{"hooks": {}, "hooks": {}}', 'the name "hooks" appears twice'],
    ["an event that stands there twice", '{"hooks": {"Stop": [], "Stop": []}}', 'the name "Stop" appears twice'],
    ["a comment without an end", "{} /* ", "not JSON"],
    ["two values", "{} {}", "not JSON"],
    ["very deep lists", `{"a": ${"[".repeat(5000)}${"]".repeat(5000)}}`, "not JSON"],
  ])("refuses %s, and can say why", (_, text, why) => {
    expect(addHooks(text, { hooks: HOOKS })).toBeUndefined();
    expect(whyNotAdded(text)).toContain(why);
  });

  it("writes a file where there is none, or nothing in it", () => {
    expect(meaningOf(added(""))).toEqual({
      hooks: Object.fromEntries(Object.entries(HOOKS).map(([event, entry]) => [event, [entry]])),
    });
  });
});

describe("removeHooks", () => {
  it("leaves a hook that somebody put into our entry", () => {
    const text = added("{}").replace('"hooks": [{ "type"', '"hooks": [{ "command": "mine" }, { "type"');

    expect(meaningOf(removeHooks(text)!)).toEqual({
      hooks: { PreToolUse: [{ matcher: "*", hooks: [{ command: "mine" }] }] },
    });
  });

  it("finds the commands of other versions, and nobody else's", () => {
    const text = JSON.stringify({
      hooks: {
        Stop: [
          {
            hooks: [
              {
                command:
                  'cmd /d /c call "C:\\x\\agents\\hook-client\\main.js" C:\\state C:\\node 1 "hook/codex?v=0.1.0&mode=unattended" --plain',
              },
            ],
          },
          { hooks: [{ command: "echo agents/hook-client/main.js 'hook/codex?v=1'; rm x" }, { command: 3 }] },
        ],
      },
    });

    expect(ownCommands(text).map(({ event }) => event)).toEqual(["Stop"]);
    expect(meaningOf(removeHooks(text)!)).toEqual({
      hooks: {
        Stop: [{ hooks: [{ command: "echo agents/hook-client/main.js 'hook/codex?v=1'; rm x" }, { command: 3 }] }],
      },
    });
  });
});

it("adding and removing hooks changes nothing that settings say, and no comment", () => {
  fc.assert(
    fc.property(arbitrarySettings, (text) => {
      const wired = added(text);
      const before = meaningOf(text) as { hooks?: Record<string, unknown[]> };
      const after = meaningOf(wired) as { hooks: Record<string, unknown[]> };
      const back = removeHooks(wired)!;
      const comments = (from: string): number => from.split(/\/\/ 1, \{|\/\* \] " \*\//).length;

      expect(after).toEqual({
        ...before,
        hooks: {
          ...before.hooks,
          ...Object.fromEntries(
            Object.entries(HOOKS).map(([event, entry]) => [event, [...(before.hooks?.[event] ?? []), entry]]),
          ),
        },
      });
      expect(ownCommands(wired)).toHaveLength(3);
      expect(meaningOf(back)).toEqual(withoutEmptyLists(before));
      // A comment beside a list that was empty goes with the list.
      if (isDeepStrictEqual(withoutEmptyLists(before), before)) expect(comments(back)).toBe(comments(text));
      expect(ownCommands(back)).toEqual([]);
    }),
    { numRuns: Math.ceil(propertyRuns() / 10) },
  );
});
