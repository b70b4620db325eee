import { appendWords } from "../host/append-words.ts";
import type { CallAnswer, HostRun } from "../host/host-run.ts";
import { outputOf } from "./output-of.ts";
import type { AfterToolCall, AfterTools, BeforeToolCall, MessageAdded, StrandsPackage } from "./strands-package.ts";

const MAX_OPEN = 64;

/** What is done at the events of one agent. */
export function hooksOf(run: HostRun, { TextBlock, ToolResultBlock }: StrandsPackage) {
  /** Calls without a result yet. They come again where a human was asked, or where another hook has them made again. */
  const open = new Map<string, CallAnswer>();

  const answerTo = ({ toolUse: { toolUseId, name, input }, tool }: BeforeToolCall): CallAnswer => {
    const known = open.get(toolUseId);
    if (known !== undefined) return known;
    const hint = tool?.toolSpec?.annotations?.readOnlyHint;
    const readOnly = typeof hint === "boolean" ? hint : undefined;
    const answer = run.call({ id: toolUseId, tool: name, args: input, readOnly });
    open.set(toolUseId, answer);
    if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
    return answer;
  };

  return {
    onMessage({ message: { role, content } }: MessageAdded): void {
      if (role === "user" && content.some(({ type }) => type !== "toolResultBlock")) run.user();
    },
    onModelCall(_event: object): void {
      run.round();
    },
    onToolCall(event: BeforeToolCall): void {
      const answer = answerTo(event);
      if (answer.action === "run") return;
      const { cancel } = event;
      event.cancel = typeof cancel === "string" ? `${appendWords(cancel, answer.message)}` : answer.message;
    },
    onToolResult(event: AfterToolCall): void {
      const { toolUse, retry, result } = event;
      if (retry === true || !open.delete(toolUse.toolUseId)) return;
      const error = result.status === "error";
      const words = run.result({ id: toolUse.toolUseId, output: outputOf(result), error });
      if (words === undefined) return;
      event.result = new ToolResultBlock({ ...result, content: [...result.content, new TextBlock(words)] });
    },
    onTools(event: AfterTools): void {
      const stop = run.stopped();
      if (stop !== undefined && event.endTurn === false) event.endTurn = stop.message;
    },
  };
}
