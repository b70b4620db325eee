import { setImmediate } from "node:timers/promises";
import type { ScriptedAnswer, ScriptedCall, ScriptedTool } from "./adapter-driver.ts";

const LOOP_LENGTH = 10;

/** Levels that a loop reaches in six calls. */
export const QUICK = { levels: { told: 3, refused: 5, ended: 6 } } as const;

/** The same call again and again. */
export function loopScript(length: number = LOOP_LENGTH): ScriptedAnswer[] {
  return Array.from({ length }, (_, at) => ({ text: "I look again.", calls: [readFile(`call-${at + 1}`)] }));
}

/** A new page each time, with the call ids of the loop. */
export function pageScript(length: number = LOOP_LENGTH): ScriptedAnswer[] {
  return Array.from({ length }, (_, at) => ({
    calls: [{ id: `call-${at + 1}`, tool: "read_page", args: { page: at + 1 } }],
  }));
}

/** Another page of a blank book each time: no rule speaks about it, and somebody who understands it might. */
export function blankScript(length = 11): ScriptedAnswer[] {
  return Array.from({ length }, (_, at) => ({
    calls: [{ id: `call-${at + 1}`, tool: "read_blank", args: { page: at + 1 } }],
  }));
}

/** A new page each time, and words or thoughts beside it that chant. */
export function chantScript(stream: "text" | "reasoning", length: number = LOOP_LENGTH): ScriptedAnswer[] {
  const chant = "I have to look at the next page of the book now. ".repeat(12);
  return pageScript(length).map((answer) => ({ ...answer, [stream]: chant }));
}

/** The loop, and in the answer that ends it another call behind. */
export function tailScript(): ScriptedAnswer[] {
  const other: ScriptedCall = { id: "other-1", tool: "read_page", args: { page: 99 } };
  return loopScript().map((answer, at) => (at === 5 ? { ...answer, calls: [...answer.calls!, other] } : answer));
}

/** Some pages first, then the same call twice. The calls of two such scripts share ids, and do not happen at the same time. */
export function lateScript(pages: number): ScriptedAnswer[] {
  const reading = Array.from({ length: pages }, (_, at) => ({
    calls: [{ id: `page-${at + 1}`, tool: "read_page", args: { page: at + 1 } }],
  }));
  return [...reading, ...loopScript(2)];
}

/** The same call several times in each answer. */
export function twinScript(length: number, twins: number): ScriptedAnswer[] {
  return Array.from({ length }, (_, at) => ({
    calls: Array.from({ length: twins }, (_, twin) => readFile(`call-${at + 1}-${twin + 1}`)),
  }));
}

/**
 * The provider makes the same call in each answer, beside one of ours that is always another and never brings anything new: what is
 * learned beside a call makes it innocent.
 */
export function providerScript(): ScriptedAnswer[] {
  // Of code that runs, it takes longer to tell.
  return Array.from({ length: 14 }, (_, at) => ({
    calls: [
      { ...readFile(`provider-${at + 1}`), providerOutput: "nothing found" },
      { id: `call-${at + 1}`, tool: "read_blank", args: { page: at + 1 } },
    ],
  }));
}

/** As long as the loop and no loop: new pages, a failure, an object, two calls at once, a call made again with news. */
export function healthyScript(hasParallel: boolean): ScriptedAnswer[] {
  const page = (at: number): ScriptedCall => ({ id: `page-${at}`, tool: "read_page", args: { page: at } });
  const record: ScriptedCall = { id: "record-1", tool: "read_record", args: { key: "a" } };
  const broken: ScriptedCall = { id: "broken-1", tool: "break", args: {} };
  return [
    { text: "I begin.", calls: [page(1)] },
    { calls: [page(2)] },
    ...(hasParallel ? [{ calls: [page(3), record] }] : [{ calls: [page(3)] }, { calls: [record] }]),
    { text: "That may fail.", calls: [broken] },
    { calls: [readFile("look-1")] },
    { calls: [page(4)] },
    { calls: [readFile("look-2")] },
    { text: "Done." },
  ];
}

/**
 * The contract's tools, which note each time that they run. `readFile` is the one that the loop calls; `pause` is where a tool
 * waits before it answers, so that runs which happen at the same time take turns.
 */
export function recordedTools(
  readFileTool: Partial<ScriptedTool> = {},
  pause: () => Promise<unknown> = () => setImmediate(),
) {
  const executed: string[] = [];
  const recorded = ({ name, run, ...rest }: ScriptedTool): ScriptedTool => ({
    ...rest,
    name,
    async run(args) {
      executed.push(`${name} ${JSON.stringify(args)}`);
      await pause();
      return run(args);
    },
  });
  const tools: ScriptedTool[] = [
    { name: "read_file", run: () => "nothing found", ...readFileTool },
    { name: "read_page", run: (args) => `page ${JSON.stringify(args)} of the book` },
    { name: "read_blank", run: () => "This page is blank." },
    { name: "read_record", run: () => ({ key: "a", values: [1, 2, 3] }) },
    { name: "break", run: () => Promise.reject(new TypeError("it broke")) },
  ];
  return { tools: tools.map(recorded), executed };
}

function readFile(id: string): ScriptedCall {
  return { id, tool: "read_file", args: { path: "notes.md" } };
}

/** A tool that fails. */
export function refuse(): never {
  throw new Error("the disk is full");
}
