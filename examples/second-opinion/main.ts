/** An agent turns the pages of a blank book. No rule speaks about that, so the guard asks a second opinion. Runs offline. */
import { setImmediate } from "node:timers/promises";
import { createGuard } from "doomloop";
import { guardWith, type OpinionRequest, secondOpinion } from "doomloop/opinion";

/** Stands in for your model. With a real one, this is `askModel(client, "gpt-4.1-mini")`. */
async function judge({ message }: OpinionRequest): Promise<string> {
  console.log(`The judge is shown:\n${message.replaceAll(/^/gm, "    ")}`);
  return '{"verdict":"stuck","since":1}';
}

const guard = guardWith(secondOpinion({ ask: judge }), createGuard);
guard.observe({ type: "user", text: "Find the author's name in the book. The key is sk-live-do-not-send-this." });

for (let page = 1; page <= 12; page++) {
  guard.observe({ type: "round" });
  guard.observe({ type: "call", tool: "read_page", args: { page } });
  const { action, message } = guard.observe({ type: "result", output: "This page is blank." });
  console.log(`Page ${page}: ${action}`);
  if (message !== undefined) console.log(`The agent reads:\n${message.replaceAll(/^/gm, "    ")}`);
  // The answer comes while your model thinks about its next call.
  await setImmediate();
}

console.log("Opinions:", guard.stats().opinions);
