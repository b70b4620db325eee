import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = JSON.stringify(join(import.meta.dirname, "interruption.ts"));

/** Runs a program until it prints something, sends it signals, and returns its output and how it ended. */
function interrupted(code: string, signals: readonly NodeJS.Signals[]): Promise<{ said: string; end: unknown }> {
  const words = ["--input-type=module", "--eval", `import { createInterruption } from ${source};\n${code}`];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const left = [...signals];
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    const next = left.shift();
    if (next !== undefined) child.kill(next);
  });
  return new Promise((done) => child.on("close", (status, signal) => done({ said, end: signal ?? status })));
}

const WAIT = `
  const { signal } = createInterruption();
  const timer = setInterval(() => {}, 1000);
  signal.addEventListener("abort", () => { console.log("asked"); ONCE_ASKED });
  console.log("ready");`;

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("lets a command end by itself on %s", async (name) => {
  const outcome = await interrupted(WAIT.replace("ONCE_ASKED", "clearInterval(timer)"), [name]);

  expect(outcome).toEqual({ said: "ready\nasked\n", end: 0 });
});

it("leaves the second signal to the process", async () => {
  const outcome = await interrupted(WAIT.replace("ONCE_ASKED", ""), ["SIGINT", "SIGINT"]);

  expect(outcome).toEqual({ said: "ready\nasked\n", end: "SIGINT" });
});
