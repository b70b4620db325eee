import { generateText, isStepCount, type LanguageModel, type PrepareStepFunction, type ToolSet } from "ai";
import { guarded } from "doomloop/ai-sdk";

declare const model: LanguageModel;
declare const prompt: string;
declare const tools: ToolSet;
declare const prepareStep: PrepareStepFunction<ToolSet>;

// #region final-report
const result = await generateText({
  model,
  prompt,
  ...guarded({ tools, stopWhen: isStepCount(50), prepareStep }, { finalReport: true }),
});
console.log(result.text); // the report, if loopStop(result) returns something
// #endregion final-report
