import { query } from "@anthropic-ai/claude-agent-sdk";
import { guard, loopStop } from "doomloop/claude-agent-sdk";

const prompt = "Which packages does package.json list?";
const options = guard({ allowedTools: ["Read"], maxTurns: 50 });

for await (const message of query({ prompt, options })) {
  if (message.type !== "result") continue;
  const stop = loopStop(message);
  if (stop) console.log(stop.explanation);
  else console.log(message.subtype === "success" ? message.result : message.subtype);
}
