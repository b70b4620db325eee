import type { LanguageModel, ToolSet } from "ai";

declare const model: LanguageModel;
declare const tools: ToolSet;
declare const task: string;

// #region start-over
import { generateText, isStepCount } from "ai";
import { guard, loopStop } from "doomloop/ai-sdk";
import { createWorkspace, startOver } from "doomloop/workspace";

const stateDirectory = "/home/me/.local/state/my-agent/project";
const workspace = createWorkspace({ root: "/home/me/project", stateDirectory });

const ended = await startOver({
  workspace,
  attempts: 2, // the default: one fresh start
  async run(message) {
    const prompt = message === undefined ? task : `${task}\n\n${message}`;
    const ladder = ["nudge", "nudge", "restart", "stop"] as const;
    const result = await generateText({ model, prompt, ...guard({ tools, stopWhen: isStepCount(50) }, { ladder }) });
    return loopStop(result);
  },
});
// #endregion start-over

console.log(ended);
