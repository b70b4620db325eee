import { codexHook } from "../../packages/doomloop/src/agents/codex/hook.ts";
import { copilotCliHook } from "../../packages/doomloop/src/agents/copilot-cli/hook.ts";
import { sessionWords } from "../../packages/doomloop/src/agents/hook/folder-sessions.ts";
import { REPORT_REQUEST, SYSTEM_PROMPT_PARAGRAPH } from "../../packages/doomloop/src/core/messages/wording.ts";
import { startOverMessage } from "../../packages/doomloop/src/workspace/start-over.ts";
import { FOUND, messagesAbout, SITUATIONS } from "../../test/messages/situations.ts";
import { keepFile } from "../repository.ts";

const { "the same call, the same result": look, "the same call in other words, the same failure": failing } =
  SITUATIONS["repeated-call"];
const check = SITUATIONS["test-fix"]["a check that keeps failing between changes"];

const WHEN: Readonly<Record<string, string>> = {
  "first words": "the third time, after the tool's result",
  "said again": "two rounds later, then at growing distances",
  "last warning": "the last words before the guard acts",
  "a refused call": "the tenth time, in place of the tool's result",
  "a run that starts over": 'in place of a stop, if the option `ladder` has `"restart"`',
  "a run that is stopped": "some ten calls later; you may pass it on with a last request",
};

const INTRODUCTION = `# Messages

Every message that doomloop writes to an agent says what happened and, unless the run is over, the next step, in at most 35 words. A start-over also lists what was tried. This page is written from the code; tools and numbers are examples.

An agent that reads the same file again and again, and doesn't listen, reads these:

| when | message |
|---|---|
${messagesAbout(look)
  .map(([level, message]) => `| **${level}**: ${WHEN[level]} | ${cell(message)} |`)
  .join("\n")}

\`[doomloop]\` is how the guard recognises its own words. No message contains text from arguments or results, unless you set \`quote\`; a tool's name appears only if it looks like an identifier. You can use [words of your own](guard.md#words-of-your-own), or another language.

## All situations

The last column is the refusal. Words can't be refused, so talk has last words instead.
`;

export function keepMessages(): readonly string[] {
  return keepFile("docs/messages.md", messagesPage());
}

/** The page of all messages. */
export function messagesPage(): string {
  const rows = FOUND.map(([situation, finding]) => {
    const messages = new Map(messagesAbout(finding));
    const later = messages.get("a refused call") ?? messages.get("last warning") ?? messages.get("said again") ?? "";
    return `| ${situation} (\`${finding.kind}\`) | ${cell(messages.get("first words") ?? "")} | ${cell(later)} |`;
  });
  const table = ["| situation | first words | a refusal, or the last words |", "|---|---|---|", ...rows].join("\n");
  return [INTRODUCTION, `${table}\n`, ELSEWHERE].join("\n");
}

const OTHERS: readonly (readonly [when: string, message: string])[] = [
  ["an attempt that [starts over](start-over.md), in a new conversation", startOverMessage([failing])],
  ["the same, in the old conversation", startOverMessage([check], { isSameConversation: true })],
  ["the same, if the files stay", startOverMessage([check], { isSameConversation: true, areFilesRestored: false })],
  ["a coding agent that a script starts again and again", sessionWords(3)],
  ["added between two turns of Codex", `${codexHook.turnEnd?.wayOut}`],
  ["added between two turns of Copilot CLI", `${copilotCliHook.prompt?.wayOut}`],
  ["added to a stop, if the model is asked once more, without tools (`REPORT_REQUEST`)", REPORT_REQUEST],
];

const ELSEWHERE = `## Elsewhere

| where | message |
|---|---|
${OTHERS.map(([when, message]) => `| ${when} | ${cell(message)} |`).join("\n")}

**For your system prompt** (\`SYSTEM_PROMPT_PARAGRAPH\`)

${block(SYSTEM_PROMPT_PARAGRAPH)}
`;

/** A message in a cell of a table. */
function cell(message: string): string {
  return message.replaceAll("|", "\\|").replaceAll("\n", "<br>");
}

function block(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}
