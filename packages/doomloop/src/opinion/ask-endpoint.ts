import type { SecondOpinion } from "../host/second-opinion.ts";
import { DoomloopError, isDoomloopError } from "../index.ts";
import { chatMessages, contentOf } from "./ask-model.ts";
import type { OpinionRequest } from "./opinion-requests.ts";
import { type SecondOpinionOptions, secondOpinion } from "./second-opinion.ts";

/** Where a model is asked that speaks like OpenAI's chat completions: a server of yours, or a provider. */
export interface OpinionEndpoint extends Omit<SecondOpinionOptions, "ask"> {
  /** Up to the version: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
  /** Gives up on open questions when it is aborted, so that they do not keep a process alive. */
  readonly signal?: AbortSignal | undefined;
}

const MAX_ANSWER = 65_536;

/** So many questions of all runs are open at a time. Those beyond are left to the rules. */
const MOST_AT_ONCE = 32;

/** A second opinion by any endpoint that speaks like OpenAI's chat completions. */
export function askEndpoint({ url, model, key, signal: ending, ...limits }: OpinionEndpoint): SecondOpinion {
  const address = addressOf(url);
  if (typeof model !== "string" || model === "")
    throw new DoomloopError("invalid-option", "opinion endpoint: model: the name of a model is required");
  // A header that cannot be sent would be quoted in the fault.
  if (key !== undefined && !/^[!-~]*$/.test(key))
    throw new DoomloopError("invalid-option", "opinion endpoint: the key must be one word of ASCII characters");
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
  let open = 0;

  const complete = async (request: OpinionRequest, signal: AbortSignal): Promise<unknown> => {
    const messages = chatMessages(request);
    // No other fields: servers differ in what they accept. Time and size bound the answer.
    const body = JSON.stringify({ model, messages });
    // A redirect could lead the excerpt to somebody else.
    const response = await fetch(address, { method: "POST", headers, body, signal, redirect: "error" });
    if (!response.ok) throw failed(`status ${response.status}`);
    const text = await boundedText(response);
    const content = contentOf(parsed(text));
    if (typeof content !== "string" || content === "") throw failed("the answer has no text");
    return content;
  };

  return secondOpinion({
    ...limits,
    async ask(request, signal) {
      if (open >= MOST_AT_ONCE) throw failed(`${MOST_AT_ONCE} questions are open already`);
      open++;
      try {
        return await complete(request, ending === undefined ? signal : AbortSignal.any([ending, signal]));
      } catch (error) {
        if (ending?.aborted === true) return undefined;
        throw isDoomloopError(error) ? error : failed(reasonOf(error));
      } finally {
        open--;
      }
    },
  });
}

function failed(reason: string): DoomloopError {
  return new DoomloopError("misuse", `opinion endpoint: ${reason}`);
}

/** What `fetch` fails with says little; its cause says more. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : String(cause);
}

/** The fault of a parser would quote the answer, and perhaps the excerpt with it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failed("the answer is not JSON");
  }
}

/** Throws a `DoomloopError` unless it is an address of the web. */
function addressOf(url: string): URL {
  if (!isEndpoint(url))
    throw new DoomloopError(
      "invalid-option",
      "opinion endpoint: a http or https address is required, without a user and a password",
    );
  const parsed = new URL(url);
  parsed.pathname = `${parsed.pathname.endsWith("/") ? parsed.pathname.slice(0, -1) : parsed.pathname}/chat/completions`;
  return parsed;
}

/** Whether a text is an address of the web. A password in it would stand in messages. */
export function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.length > MAX_ANSWER) throw failed("the answer is too long");
  }
  return text;
}
