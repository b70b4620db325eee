import { digestOf, digestToHex } from "../core/identity/digest.ts";
import { type ForeignRecord, listOf, recordOf, textOf } from "./foreign-value.ts";

/** An output for a result event. If `output` is shortened, `digest` and `length` describe the whole. */
export interface ToolOutput {
  readonly output: unknown;
  readonly digest?: string;
  readonly length?: number;
}

const MAX_OUTPUT = 262_144;
const HEAD = 24_576;
const TAIL = 8192;
const MAX_BLOCKS = 1000;
/** Replaces content that is not text: a picture, a file. */
const PLACEHOLDER = "[content]";

/** The output of a tool, from text, a list of content blocks, or any other value. */
export function toolOutput(content: unknown): ToolOutput {
  if (typeof content === "string") return cut(content);
  if (!Array.isArray(content)) return { output: content };
  const texts: string[] = [];
  let digests = "";
  for (const block of content.slice(0, MAX_BLOCKS)) {
    const text = blockText(block);
    if (text === undefined) digests += hexOf(blockData(block));
    texts.push(text ?? PLACEHOLDER);
  }
  const joined = texts.length === 1 ? texts[0]! : texts.join("\n");
  if (digests === "") return cut(joined);
  return { ...cut(joined), digest: hexOf(digests + joined), length: joined.length };
}

/** The text of a list of content blocks, or of a plain text. Undefined if there is none. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === "string") return textOf(content);
  const texts = listOf(content).slice(0, MAX_BLOCKS).map(blockText).filter(Boolean);
  return texts.length === 0 ? undefined : texts.join("\n");
}

function blockText(block: unknown): string | undefined {
  if (typeof block === "string") return block;
  const text = recordOf(block)?.text;
  return typeof text === "string" ? text : undefined;
}

/** Pictures keep their bytes in different fields. An unknown block is taken as a whole. */
function blockData(block: unknown): string {
  const { data, source, image_url: url }: ForeignRecord = recordOf(block) ?? {};
  const found = textOf(data) ?? textOf(recordOf(source)?.data) ?? textOf(recordOf(url)?.url) ?? textOf(url);
  if (found !== undefined) return found;
  try {
    return JSON.stringify(block) ?? "";
  } catch {
    return "";
  }
}

/** Keeps the beginning and the end of a long output, because the last lines describe a failure. */
function cut(text: string): ToolOutput {
  if (text.length <= MAX_OUTPUT) return { output: text };
  const output = `${text.slice(0, HEAD)}\n${text.slice(text.length - TAIL)}`;
  return { output, digest: hexOf(text), length: text.length };
}

function hexOf(text: string): string {
  return digestToHex(digestOf(text));
}
