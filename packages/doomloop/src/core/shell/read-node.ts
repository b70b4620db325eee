import { type AndOr, forEachChild, type Pipeline, type PipelineNode, type Statement, type SyntaxNode } from "unbash";
import { type CommandDraft, emit, raiseEffect } from "./command-draft.ts";
import { EffectRank } from "./effect-rank.ts";
import { isTrimmingFilter } from "./is-trimming-filter.ts";
import { readCommandNode } from "./read-command-node.ts";
import { readRedirections } from "./read-redirections.ts";
import { Separator } from "./separator.ts";
import { wordText } from "./word-text.ts";

/** What may follow `||` without making the command another one. */
const FORGIVING_PROGRAMS: ReadonlySet<string> = new Set(["true", ":", "exit"]);

/** Reads one node of the syntax tree and puts what it holds on the draft's stack, the first on top. */
export function readNode(draft: CommandDraft, node: SyntaxNode): void {
  switch (node.type) {
    case "Command":
      readCommandNode(draft, node);
      return;
    case "Script":
      pushStatements(draft, node.commands);
      return;
    case "Statement":
      if (node.background) draft.stack.push(Separator.close + Separator.background);
      draft.stack.push(node.command);
      return;
    case "AndOr":
      pushAlternatives(draft, node);
      return;
    case "Pipeline":
      pushStages(draft, node);
      return;
    case "Word":
      emit(draft, wordText(draft, node));
      return;
    case "Redirected":
      draft.stack.push(Separator.close + readRedirections(draft, node.redirects).substance, node.command);
      return;
    case "Subshell":
    case "BraceGroup":
      // Around a whole command the brackets say nothing.
      if (draft.stack.length === 0) pushStatements(draft, node.body.commands);
      else pushConstruct(draft, node);
      return;
    case "CompoundList":
      draft.stack.push(Separator.close);
      pushStatements(draft, node.commands);
      draft.stack.push(Separator.open);
      return;
    case "TestCommand":
    case "ArithmeticCommand":
      draft.pipelines++;
      raiseEffect(draft, EffectRank.look);
      pushBracketed(draft, node);
      return;
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      draft.substitutions.push(node);
      emit(draft, node.text);
      return;
    case "ArithmeticWord":
      emit(draft, node.value);
      pushBracketed(draft, node);
      return;
    case "If":
    case "For":
    case "While":
    case "Case":
    case "Select":
    case "Function":
    case "Coproc":
    case "ArithmeticFor":
      pushConstruct(draft, node);
      return;
    default:
      pushBracketed(draft, node);
  }
}

function pushStatements(draft: CommandDraft, statements: readonly Statement[]): void {
  for (let index = statements.length - 1; index >= 0; index--) {
    const statement = statements[index]!;
    draft.stack.push(statement.background ? statement : statement.command);
    if (index > 0) draft.stack.push(Separator.statement);
  }
}

function pushAlternatives(draft: CommandDraft, node: AndOr): void {
  for (let index = node.commands.length - 1; index >= 0; index--) {
    const command = node.commands[index]!;
    const operator = node.operators[index - 1];
    if (operator === "||" && isForgiving(command)) continue;
    draft.stack.push(command);
    if (operator !== undefined) draft.stack.push(`\0${operator}`);
  }
}

function pushStages(draft: CommandDraft, node: Pipeline): void {
  let last = node.commands.length - 1;
  while (last > 0 && isTrimmingFilter(node.commands[last]!)) last--;
  for (let index = last; index >= 0; index--) {
    draft.stack.push(node.commands[index]!);
    if (index > 0) draft.stack.push(Separator.pipe);
  }
}

/** A loop, a condition or a group: several commands, whatever is in it. */
function pushConstruct(draft: CommandDraft, node: SyntaxNode): void {
  draft.isCompound = true;
  pushBracketed(draft, node);
}

/** Any other node is told by its name, its operator and what it holds. */
function pushBracketed(draft: CommandDraft, node: SyntaxNode): void {
  const { stack } = draft;
  stack.push(Separator.close);
  const bottom = stack.length;
  forEachChild(node, (child) => {
    stack.push(child);
  });
  reverseFrom(stack, bottom);
  const detail = "operator" in node ? node.operator : "kind" in node ? node.kind : "";
  const text = "value" in node && typeof node.value === "string" ? node.value : "";
  stack.push(`${Separator.open}${node.type} ${detail}${text}`);
}

function reverseFrom<Item>(items: Item[], start: number): void {
  for (let low = start, high = items.length - 1; low < high; low++, high--) {
    const item = items[low]!;
    items[low] = items[high]!;
    items[high] = item;
  }
}

function isForgiving(command: PipelineNode): boolean {
  return command.type === "Command" && command.name !== undefined && FORGIVING_PROGRAMS.has(command.name.text);
}
