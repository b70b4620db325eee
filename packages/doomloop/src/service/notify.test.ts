import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { notifyOf, saveNotify } from "./notify.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "doomloop-notify-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

it.skipIf(process.platform === "win32")(
  "tells the command what happened, and which checkpoint is the latest",
  async () => {
    const told = join(state, "told");
    saveNotify(state, `printf '%s|' >${told}.new`);
    const run = { at: 1, host: "codex", kind: "repeated-call", tool: "Bash", count: 19 };
    notifyOf(state, { ...run, said: "refusal" });
    saveNotify(state, `sh -c 'printf "%s|" "$@" >${told}.new && mv ${told}.new ${told}' told`);
    notifyOf(state, { ...run, said: "start-over", words: "canary", checkpoint: "0123456789ab" });

    await expect.poll(() => existsSync(told)).toBe(true);
    expect(readFileSync(told, "utf8")).toBe("codex|start-over|repeated-call|Bash|19|0123456789ab|");
  },
);
