import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import type { Act } from "../reading.ts";
import { factsOf, readLazily } from "./call-facts.ts";

const lazily = (tool: string, args: unknown, changes?: boolean, declared?: readonly string[]) =>
  readLazily({ tool, args, changes }, { declared, isPrimary: false }, platform);
const actOf = (tool: string, args: unknown = {}, changes?: boolean): Act =>
  factsOf({ facts: lazily(tool, args, changes) }).reading.act;
const likeOf = (tool: string, args: unknown) => factsOf({ facts: lazily(tool, args) }).like;

describe("readLazily", () => {
  it("reads a command when it is asked first, and lets go of its text", () => {
    const facts = lazily("bash", { command: "cat a-secret" });
    expect(facts).toMatchObject({ isCommand: true, known: undefined, command: "cat a-secret" });
    const known = factsOf({ facts });

    expect(known.reading.act).toBe("looks");
    expect(factsOf({ facts })).toBe(known);
    expect(JSON.stringify(facts)).not.toContain("secret");
  });

  it("reads what is no command at once, and a long command too", () => {
    expect(lazily("read_file", { path: "a.ts" })).toMatchObject({ isCommand: false, command: undefined });
    expect(lazily("read_file", { path: "a.ts" }).known?.reading.act).toBe("looks");
    expect(lazily("bash", { command: `cat ${"x".repeat(4096)}` })).toMatchObject({
      isCommand: true,
      command: undefined,
    });
  });

  it("keeps a command for nothing where a rule says what makes two calls the same", () => {
    const facts = lazily("bash", { command: "ls" }, undefined, ["command"]);

    expect(facts).toMatchObject({ isCommand: false, command: undefined });
    expect(factsOf({ facts }).like).toBeDefined();
  });

  it.each(["sleep 5", "npm run watch", "kubectl rollout status web", "tail -f a.log", ""])(
    "knows that %j may wait",
    (command) => {
      expect(lazily("bash", { command }).mayWait).toBe(true);
      expect(lazily("bash", { command: "npm test" }).mayWait).toBe(false);
    },
  );
});

describe("factsOf", () => {
  it("takes the host's word for whether a call changes anything, but for one that waits", () => {
    expect(actOf("write_file", {}, false)).toBe("looks");
    expect(actOf("read_file", {}, true)).toBe("writes");
    expect(actOf("bash", { command: "rm a" }, false)).toBe("looks");
    expect(actOf("wait", {}, true)).toBe("waits");
  });

  it("tells reads of different parts of one file apart only where nobody sees what they show", () => {
    const part = (offset: number) => factsOf({ facts: lazily("read_file", { path: "a.ts", offset }) });

    expect(part(1).like).toBe(part(2).like);
    expect(part(1).blindLike).not.toBe(part(2).blindLike);
    expect(part(1).blindLike).toBe(part(1).blindLike);
  });

  it("takes one command at two places for two", () => {
    const at = (host: string) => likeOf("bash", { command: "uptime", host });

    expect(at("web-1")).toBe(at("web-1"));
    expect(at("web-1")).not.toBe(at("web-2"));
    expect(likeOf("bash", { command: "uptime", timeout: 5 })).toBe(likeOf("bash", { command: "uptime", timeout: 9 }));
  });

  it("knows an edit by what it shares with its own reverse, and a look by nothing", () => {
    const edit = (from: string, to: string) => ({ path: "a.ts", old_string: from, new_string: to });
    const editOf = (tool: string, args: object) => factsOf({ facts: lazily(tool, args) }).edit;

    expect(editOf("edit", edit("x", "y"))).toBe(editOf("edit", edit("y", "x")));
    expect(editOf("edit", edit("x", "y"))).not.toBe(editOf("edit", edit("x", "z")));
    expect(editOf("read_file", { path: "a.ts" })).toBeUndefined();
  });
});
