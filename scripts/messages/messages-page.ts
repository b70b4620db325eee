import { REPORT_REQUEST, SYSTEM_PROMPT_PARAGRAPH } from "../../packages/doomloop/src/core/messages/wording.ts";
import { startOverMessage } from "../../packages/doomloop/src/workspace/start-over-message.ts";
import { FOUND, messagesAbout, SITUATIONS } from "../../test/messages/situations.ts";

const INTRODUCTION = `# Messages: what the model reads

This page lists every message that doomloop writes to an agent, with the situation in which it does. The page is written by \`node scripts/write-messages.ts\`, and a test compares it with the code. The tools and numbers are examples.

- Each message begins with \`[doomloop]\`, so that the guard knows its own words when they come back.
- It says what happened, what to do next, and, before something is done about the loop, what that will be.
- A test holds each message to 60 words and to grade 7 on the Flesch-Kincaid scale of reading.
- The first words do no harm if they are wrong: they say how to go on if the repetition is on purpose.
- No message has text from arguments or results in it. With the option \`quote\`, the arguments of the repeated calls follow it, marked as data. A tool's name is shown if it looks like an identifier.
- You can say it in [your own words](guard.md#words-of-your-own) or in another language.

Nobody has measured yet how often a model leaves a loop after such a message. [\`bench/words\`](quality.md#what-a-nudge-does) measures it for a model of yours.
`;

/** The page of all messages. */
export function messagesPage(): string {
  const parts = FOUND.map(([situation, finding]) => {
    const messages = messagesAbout(finding).map(([level, message]) => `**${capital(level)}**\n\n${block(message)}`);
    return `## ${capital(situation)}\n\nFound as [\`${finding.kind}\`](detectors/${finding.kind}.md).\n\n${messages.join("\n\n")}\n`;
  });
  return [INTRODUCTION, ...parts, ELSEWHERE].join("\n");
}

const { "the same call in other words, the same failure": failing } = SITUATIONS["repeated-call"];

const ELSEWHERE = `## Elsewhere

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
