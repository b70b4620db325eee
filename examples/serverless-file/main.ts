/**
 * A handler that keeps nothing between requests, as a serverless function does: the conversation and its guard are files. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardStore } from "doomloop";
import { guard, loopStop } from "doomloop/openai";

const folder = mkdtempSync(join(tmpdir(), "doomloop-serverless-"));
const fileOf = (name: string) => join(folder, encodeURIComponent(name));
const load = (name: string) => readFile(fileOf(name), "utf8").catch(() => undefined);

/** A file is complete or missing: it is written next to the old one, then replaces it. */
async function save(name: string, text: string): Promise<void> {
  await writeFile(`${fileOf(name)}.new`, text);
  await rename(`${fileOf(name)}.new`, fileOf(name));
}

let requests = 0;

/** The "model" reads the same file over and over. */
function askModel() {
  const readFile = { name: "read_file", arguments: '{"path":"src/login.ts"}' };
  return { role: "assistant", tool_calls: [{ id: `call-${requests}`, type: "function", function: readFile }] };
}

/** One request. Everything it knows is in the two files. */
async function handle(thread: string): Promise<string> {
  const store = guardStore({ load: (run) => load(`guard ${run}`), save: (run, text) => save(`guard ${run}`, text) });
  const messages = JSON.parse((await load(`messages ${thread}`)) ?? '[{"role":"user","content":"Fix the login bug."}]');
  const done = await store.use(thread, (own) => {
    const observe = guard(messages, { guard: own });
    if (observe().isOver) return "over";
    messages.push(askModel());
    const { calls } = observe();
    for (const { id } of calls as { id: string }[])
      messages.push({ role: "tool", tool_call_id: id, content: "export const login = () => {};" });
    return loopStop(observe)?.explanation ?? (calls.length > 0 ? "the call was run" : "the call was refused");
  });
  await save(`messages ${thread}`, JSON.stringify(messages));
  return done;
}

let done = "";
while (requests < 30 && !done.startsWith("Stopped")) {
  requests++;
  done = await handle("thread-1");
  console.log(`request ${requests}: ${done}`);
}
rmSync(folder, { recursive: true });
if (!done.startsWith("Stopped")) process.exitCode = 1;
