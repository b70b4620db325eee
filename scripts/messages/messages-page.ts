import type { Finding } from "../../packages/doomloop/src/core/finding.ts";
import { REPORT_REQUEST, SYSTEM_PROMPT_PARAGRAPH } from "../../packages/doomloop/src/core/messages/wording.ts";
import { startOverMessage } from "../../packages/doomloop/src/workspace/start-over-message.ts";
import { FOUND, messagesAbout, SITUATIONS } from "../../test/messages/situations.ts";

const INTRODUCTION = `# Messages: what the model reads

This page lists every message that doomloop writes to an agent, and the situation it is for. \`node scripts/write-messages.ts\` writes the page, and a test compares it with the code. The tools and numbers are examples.

An agent that doesn't listen gets these, in this order:

| message | when, by default | where the agent reads it |
|---|---|---|
| first words | the third time | after the tool's result |
| said again | two rounds later, then at growing distances | after the tool's result |
| last warning | the last message before the guard acts | after the tool's result |
| a refused call | the tenth time; later if the loop is [less clear](how-it-decides.md#three-levels) | in place of the tool's result |
| a run that is stopped | some ten calls later, if the agent makes refused calls again and does nothing else | usually nowhere; with a last request, if you make one |

- A message starts with \`[doomloop]\`. The guard recognises its own words by that when they come back to it.
- It says what happened and what to do next. A last warning and a refusal also say what the guard will do if the agent goes on.
- A test holds each of them to 60 words, and to grade 7 on the Flesch-Kincaid reading scale. Only [the words of a new start](#elsewhere) may be longer.
- The first words say how to go on if the repeat is on purpose, so that they do little harm if they are wrong.
- No message contains text from arguments or results. With the option \`quote\`, the arguments of the repeated calls follow the message, marked as data. A tool's name appears only if it looks like an identifier.
- You can replace them with [your own words](guard.md#words-of-your-own), or with another language.

Nobody has measured yet how often a model leaves a loop after such a message. [\`bench/words\`](quality.md#what-a-nudge-does) measures it on your own model.
`;

/** The messages that are the same for all kinds but for their first sentence. */
const ENDS = ["a run that starts over", "a run that is stopped"];

/** The page of all messages. */
export function messagesPage(): string {
  const parts = FOUND.map(([situation, finding]) => {
    const messages = messagesAbout(finding).filter(([level]) => !ENDS.includes(level));
    return `## ${capital(situation)}\n\nFound as [\`${finding.kind}\`](detectors.md).\n\n${shown(messages)}\n`;
  });
  return [INTRODUCTION, ...parts, ends(), ELSEWHERE].join("\n");
}

function ends(): string {
  const { "the same call, the same result": look, "the same thing sent or written again": act } =
    SITUATIONS["repeated-call"];
  const about = (finding: Finding) => messagesAbout(finding).filter(([level]) => ENDS.includes(level));
  const [restart] = about(act);
  return `## The end of a run

Each kind of loop has these, with its own first sentence. A run starts over only if you put \`"restart"\` into the option \`ladder\`.

${shown([...about(look), [`${restart![0]}, after something was sent`, restart![1]]])}
`;
}

function shown(messages: readonly (readonly [level: string, message: string])[]): string {
  return messages.map(([level, message]) => `**${capital(level)}**\n\n${block(message)}`).join("\n\n");
}

const { "the same call in other words, the same failure": failing } = SITUATIONS["repeated-call"];

const ELSEWHERE = `## Elsewhere

These are longer, or do not start with \`[doomloop]\`, because the agent reads them once, at a start or at an end.

**The first words of an attempt that starts over**, in a new conversation

${block(startOverMessage([failing]))}

**The same, in the old conversation**

${block(startOverMessage([failing], { isSameConversation: true }))}

**After a stop, if the model is asked once more, without tools**

${block(REPORT_REQUEST)}

**For your system prompt** (\`SYSTEM_PROMPT_PARAGRAPH\`)

${block(SYSTEM_PROMPT_PARAGRAPH)}
`;

function block(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
