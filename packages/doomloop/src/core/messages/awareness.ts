/** A paragraph for a system prompt: an agent that knows of the guard understands its messages. */
export const SYSTEM_PROMPT_PARAGRAPH = `A loop guard watches this run. It counts calls that bring nothing new: the same call with the same result, the same few calls in turn, the same failure from slightly different attempts. Running tests again after an edit, reading the next page and waiting for a job do not count. When it sees a loop, you get a message that begins with "[doomloop]". Take it seriously: use what you already know, try a fundamentally different approach, or say what blocks you. If the loop goes on, calls are refused and the run may be started over or stopped.`;

/** A paragraph for a tool's description, for agents whose system prompt is not ours to write. */
export const TOOL_DESCRIPTION_PARAGRAPH = `When calls of this tool with similar arguments keep giving similar results, more of them will not help: that is a loop. Change the approach as a whole, ask the user for what is missing, or say plainly what cannot be done and what was tried.`;

/** Words to add to those of a stop where one last model request follows, without tools. */
export const REPORT_REQUEST =
  "Do not call any more tools: report what you tried, what you found out, and what is left to do.";
