import { describe, expect, it } from "vitest";
import { traitsOf } from "./tool-words.ts";

describe("traitsOf", () => {
  it.each([
    ["read_file", ["look"]],
    ["readFile", ["look"]],
    ["READ-FILE", ["look"]],
    ["fs.read", ["look"]],
    ["mcp__server__list_items", ["look"]],
    ["get_and_update", ["look", "change"]],
    ["updateThenGet", ["change", "look"]],
    ["bash", ["shell"]],
    ["run_shell_command", ["shell"]],
    ["executeSql", ["shell", "database"]],
    ["mcp__postgres__insert_row", ["change", "database"]],
    ["code_edit", ["change", "code"]],
    ["browser_wait_for", ["wait", "page"]],
    ["task_update", ["change", "delegate"]],
    ["get_status", ["look"]],
    ["file2read", ["look"]],
    ["reader", []],
    ["", []],
    ["constructor", []],
  ])("of %j are %j", (tool, traits) => {
    expect(traitsOf(tool)).toEqual(traits);
  });

  it("are read from the beginning of a long name", () => {
    expect(traitsOf(`${"x_".repeat(100)}read`)).toEqual([]);
  });
});
