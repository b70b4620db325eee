import { expect, it } from "vitest";
import { ownCommand } from "./own-command.ts";

it("names the program as it was started", () => {
  expect(ownCommand(["show", "a1"], {})).toBe("doomloop show a1");
  expect(ownCommand(["show", "a1"], { npm_command: "exec" })).toBe("npx doomloop show a1");
});

it("quotes words for the shell and escapes them for the terminal", () => {
  const words = ["my runs/", "$(rm -rf ~)", "it's", "-x;y", "a\u001b[2J", ""];

  expect(ownCommand(words, {})).toBe("doomloop 'my runs/' '$(rm -rf ~)' 'it'\\''s' '-x;y' 'a\\u{1b}[2J' ''");
});
