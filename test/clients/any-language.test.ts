import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
const TOKEN = "a-token-for-tests-only";
const hasCurl = ["curl", "bash"].every((program) => spawnSync(program, ["--version"]).status === 0);

describe.skipIf(!hasCurl || process.platform === "win32")("the page about other languages", () => {
  it("shows what curl shows (skipped without bash or curl)", async () => {
    const transcript = consoleOf(readFileSync(resolve(root, "docs/any-language.md"), "utf8"));
    expect(transcript.length).toBeGreaterThan(5);

    const words = [resolve(root, "packages/doomloop/src/cli/main.ts"), "serve", "--listen", "127.0.0.1:0"];
    const service = spawn(process.execPath, words, { env: { ...process.env, DOOMLOOP_TOKEN: TOKEN }, stdio: "pipe" });
    try {
      let text = "";
      service.stdout.on("data", (piece) => (text += piece));
      await expect.poll(() => text).toContain("Listening on ");
      const [, url] = /Listening on (\S+)/.exec(text)!;
      const script = transcript.map(({ command }) => `${command}\necho; echo "${MARK}"`).join("\n");
      const env = { PATH: process.env.PATH, DOOMLOOP_TOKEN: TOKEN, DOOMLOOP_URL: url };
      const { stdout } = await run("bash", ["-c", script], { env });
      const printed = stdout.split(`${MARK}\n`);

      expect(transcript.map(({ command }, at) => ({ command, output: printed[at]!.trimEnd() }))).toEqual(transcript);
    } finally {
      service.kill();
      await once(service, "close");
    }
  });
});

const MARK = "--- the next command ---";

interface Typed {
  readonly command: string;
  readonly output: string;
}

/** What a reader types into a shell, and what the page says that comes of it. A command goes on after `>`. */
function consoleOf(markdown: string): Typed[] {
  return [...markdown.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = ""]) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const lines = part.trimEnd().split("\n");
        const end = lines.findIndex((line, at) => at > 0 && !line.startsWith("> "));
        const [typed, shown] = end < 0 ? [lines, []] : [lines.slice(0, end), lines.slice(end)];
        return { command: typed.map((line) => line.replace(/^> /, "")).join("\n"), output: shown.join("\n") };
      }),
  );
}
