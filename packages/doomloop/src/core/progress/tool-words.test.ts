import { describe, expect, it } from "vitest";
import { readToolName, type ToolTrait } from "./tool-words.ts";

describe("the traits of a tool's name", () => {
  it.each<[string, ToolTrait[]]>([
    ["read_file", ["looks"]],
    ["readFile", ["looks"]],
    ["READ-FILE", ["looks"]],
    ["fs.read", ["looks"]],
    ["mcp__server__list_items", ["looks"]],
    ["get_and_update", ["looks", "writes"]],
    ["updateThenFind", ["writes", "looks"]],
    ["bash", ["shell"]],
    ["run_shell_command", ["steps", "shell"]],
    ["executeSql", ["shell", "database"]],
    ["mcp__postgres__insert_row", ["steps", "database"]],
    ["mcp__delete__row_list", ["looks"]],
    ["code_edit", ["writes", "code"]],
    ["browser_wait_for", ["waits", "page"]],
    ["task_update", ["writes", "asks"]],
    ["file2read", ["looks"]],
    ["reader", []],
    ["", []],
    ["constructor", []],
  ])("%j are %j", (tool, traits) => {
    expect(readToolName(tool).traits).toEqual(traits);
  });

  it.each<[string, ToolTrait]>([
    ["get_status", "looks"],
    ["deploy_status", "looks"],
    ["archive_search", "looks"],
    ["update_status", "writes"],
  ])("%j begin with %s: a name that ends with a state asks about what stands before it", (tool, trait) => {
    expect(readToolName(tool).traits[0]).toBe(trait);
  });

  it.each<[string, ToolTrait]>([
    ["create_ticket", "says"],
    ["write_note", "says"],
    ["update_todos", "says"],
    ["read_notes", "looks"],
    ["create_file", "writes"],
  ])("%j begin with %s: what is written into a note is said", (tool, trait) => {
    expect(readToolName(tool).traits[0]).toBe(trait);
  });

  it("are read from the beginning of a long name", () => {
    expect(readToolName(`${"x_".repeat(100)}read`).traits).toEqual([]);
  });
});

describe("a tool's name", () => {
  it.each([
    ["read_file", true],
    ["git_status", true],
    ["mcp__workspace__list", true],
    ["get_order", false],
    ["search", false],
  ])("%j says that it is about the run's own folder: %s", (tool, isInside) => {
    expect(readToolName(tool).isInside).toBe(isInside);
  });
});
