import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { clineScript, commandInScript } from "./agent.ts";

it.skipIf(process.platform === "win32")("prints what the hook prints, and an empty object for nothing", () => {
  const said = (command: string): string => execFileSync("/bin/sh", ["-c", clineScript(command)], { encoding: "utf8" });

  expect(said("true")).toBe("{}\n");
  expect(said(`printf '%s' '{"cancel":true,"errorMessage":"a\\nb $HOME"}'`)).toBe(
    '{"cancel":true,"errorMessage":"a\\nb $HOME"}\n',
  );
});

it("knows its own command again, and nobody else's", () => {
  const command =
    "/bin/sh '/opt/a (b)/agents/hook-client/hook.sh' /state /usr/bin/node 1 'hook/cline?v=0.1.0' 2>/dev/null || :";

  expect(commandInScript(clineScript(command))).toBe(command);
  expect(commandInScript(clineScript(`rm x\n${command}`))).toBeUndefined();
  expect(commandInScript("#!/bin/sh\necho mine\n")).toBeUndefined();
});
