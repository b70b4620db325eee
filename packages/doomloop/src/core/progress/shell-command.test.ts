import { describe, expect, it } from "vitest";
import { shellCommand } from "./shell-command.ts";

describe("shellCommand", () => {
  it("is found under several names, or as the arguments themselves", () => {
    for (const args of [{ command: "ls" }, { cmd: "ls" }, { script: "ls" }, { input: "ls" }, "ls"]) {
      expect(shellCommand("run_shell_command", args)).toBe("ls");
    }
    expect(shellCommand("bash", { command: ["bash", "-lc", "ls"] })).toBe("ls");
    expect(shellCommand("bash", { command: ["sh", "-c", "ls"] })).toBe("ls");
    expect(shellCommand("bash", { command: ["ls", "-la", "src"] })).toBe("ls -la src");
    expect(shellCommand("bash", { command: ["ls", 7] })).toBeUndefined();
    expect(shellCommand("bash", { command: [] })).toBeUndefined();
    expect(shellCommand("read_file", { command: "ls" })).toBeUndefined();
    expect(shellCommand("bash", { command: 7 })).toBeUndefined();
  });
});
