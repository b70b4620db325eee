import type { Assignment, Command } from "unbash";
import type { CommandDraft } from "./command-draft.ts";
import { readProgram } from "./read-program.ts";
import { readRedirections } from "./read-redirections.ts";
import { wordText } from "./word-text.ts";

/** Reads one simple command of the syntax tree: its assignments, words and redirections. */
export function readCommandNode(draft: CommandDraft, node: Command): void {
  const words: string[] = [];
  let isRedirected = false;
  for (const item of node.prefix) {
    if (item.type === "Assignment") words.push(assignmentText(draft, item));
    else isRedirected = true;
  }
  const start = words.length;
  if (node.name !== undefined) words.push(wordText(draft, node.name));
  for (const item of node.suffix) {
    if (item.type === "Word") words.push(wordText(draft, item));
    else if (item.type === "Assignment") words.push(assignmentText(draft, item));
    else isRedirected = true;
  }
  readProgram(draft, words, start, isRedirected ? readRedirections(draft, node.redirects) : undefined);
}

function assignmentText(draft: CommandDraft, assignment: Assignment): string {
  const { value } = assignment;
  if (value.type === "Word" && assignment.index === undefined) {
    return `${assignment.name}${assignment.append ? "+=" : "="}${wordText(draft, value)}`;
  }
  if (value.type === "ArrayValue") for (const element of value.elements) wordText(draft, element);
  return assignment.text;
}
