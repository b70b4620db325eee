import { appendToText } from "../../host/append-words.ts";
import type { CallAnswer, HostRun } from "../../host/host-run.ts";
import { isCancelled } from "../../host/is-cancelled.ts";
import { hearMessage } from "./hear-message.ts";
import { noteStop } from "./loop-stop.ts";
import { outputOf } from "./output-of.ts";
import type {
  AfterModelCall,
  AfterToolCall,
  AfterTools,
  BeforeToolCall,
  MessageAdded,
  StrandsPackage,
  ToolUse,
} from "./strands-package.ts";

const MAX_OPEN = 64;

/** What is done at the events of one agent. */
export function hooksOf(run: HostRun, { TextBlock, ToolResultBlock }: StrandsPackage) {
  /**
   * The latest answer's calls without a result yet. They come again where a human was asked, or where another hook has them made
   * again. Not by their ids alone: those of another answer, or of another call of this one, may be the same.
   */
  const open = new Map<string, CallAnswer>();

  const answerTo = ({ toolUse, tool }: BeforeToolCall): CallAnswer => {
    const key = keyOf(toolUse);
    const known = open.get(key);
    if (known !== undefined) return known;
    const hint = tool?.toolSpec?.annotations?.readOnlyHint;
    const readOnly = typeof hint === "boolean" ? hint : undefined;
    const answer = run.call({ id: toolUse.toolUseId, tool: toolUse.name, args: toolUse.input, readOnly });
    open.set(key, answer);
    if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
    return answer;
  };

  return {
    onMessage({ message }: MessageAdded): void {
      const { role, content } = message;
      if (role === "user" && content.some(({ type }) => type !== "toolResultBlock")) run.user();
      const stop = run.stopped();
      if (role === "assistant" && stop !== undefined) noteStop(message, stop);
    },
    onModelCall(_event: object): void {
      open.clear();
      run.round();
    },
    onModelAnswer({ stopData, retry }: AfterModelCall): void {
      if (stopData !== undefined && retry !== true) hearMessage(stopData.message, run);
    },
    onToolCall(event: BeforeToolCall): void {
      const answer = answerTo(event);
      if (answer.action === "run") return;
      const { cancel } = event;
      event.cancel = typeof cancel === "string" ? appendToText(cancel, answer.message) : answer.message;
    },
    onToolResult(event: AfterToolCall): void {
      const { agent, toolUse, retry, result } = event;
      const key = keyOf(toolUse);
      const answer = open.get(key);
      if (retry === true || answer === undefined) return;
      open.delete(key);
      const error = result.status === "error";
      const isGivenUp = error && isCancelled(agent.cancelSignal);
      if (isGivenUp) run.abandon(answer.id);
      const words = isGivenUp ? undefined : run.result({ id: answer.id, output: outputOf(result), error });
      if (words === undefined) return;
      event.result = new ToolResultBlock({ ...result, content: [...result.content, new TextBlock(words)] });
    },
    onTools(event: AfterTools): void {
      const stop = run.stopped();
      if (stop !== undefined && event.endTurn === false) event.endTurn = stop.explanation;
    },
  };
}

function keyOf({ toolUseId, name, input }: ToolUse): string {
  return JSON.stringify([toolUseId, name, input]);
}
