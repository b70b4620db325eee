import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import type { Act } from "../reading.ts";
import { type CallFacts, readFacts } from "./call-facts.ts";

const factsOf = (tool: string, args: unknown, changes?: boolean, declared?: readonly string[]): CallFacts =>
  readFacts({ tool, args, changes }, { declared, isPrimary: false }, platform);
const actOf = (tool: string, args: unknown = {}, changes?: boolean): Act => factsOf(tool, args, changes).reading.act;
const likeOf = (tool: string, args: unknown) => factsOf(tool, args).like;

describe("readFacts", () => {
  it("keeps no text of a command", () => {
    const facts = factsOf("bash", { command: "cat a-secret" });

    expect(facts).toMatchObject({ isCommand: true, reading: { act: "looks" } });
    expect(JSON.stringify(facts)).not.toContain("secret");
  });

  it("does not read a command where a rule says what makes two calls the same", () => {
    const facts = factsOf("bash", { command: "ls" }, undefined, ["command"]);

    expect(facts.isCommand).toBe(false);
    expect(facts.like).toBeDefined();
  });

  it("takes the host's word for whether a call changes anything, but for one that waits", () => {
    expect(actOf("write_file", {}, false)).toBe("looks");
    expect(actOf("read_file", {}, true)).toBe("writes");
    expect(actOf("bash", { command: "rm a" }, false)).toBe("looks");
    expect(actOf("wait", {}, true)).toBe("waits");
  });

  it("tells reads of different parts of one file apart only where nobody sees what they show", () => {
    const part = (offset: number) => factsOf("read_file", { path: "a.ts", offset });

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
    const editOf = (tool: string, args: object) => factsOf(tool, args).edit;

    expect(editOf("edit", edit("x", "y"))).toBe(editOf("edit", edit("y", "x")));
    expect(editOf("edit", edit("x", "y"))).not.toBe(editOf("edit", edit("x", "z")));
    expect(editOf("read_file", { path: "a.ts" })).toBeUndefined();
  });
});
