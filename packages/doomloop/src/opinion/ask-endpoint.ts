import type { SecondOpinion } from "../host/second-opinion.ts";
import { DoomloopError } from "../index.ts";
import { chatMessages, contentOf } from "./ask-model.ts";
import { type SecondOpinionOptions, secondOpinion } from "./second-opinion.ts";

/** Where a model is asked that speaks like OpenAI's chat completions: a server of yours, or a provider. */
export interface OpinionEndpoint extends Omit<SecondOpinionOptions, "ask"> {
  /** Up to the version: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
}

const MAX_ANSWER = 65_536;

/** A second opinion by any endpoint that speaks like OpenAI's chat completions. */
export function askEndpoint({ url, model, key, ...limits }: OpinionEndpoint): SecondOpinion {
  const address = addressOf(url);
  const headers = { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) };
  return secondOpinion({
    ...limits,
    async ask(request, signal) {
      const body = JSON.stringify({
        model,
        messages: chatMessages(request),
        max_tokens: request.maxTokens,
        temperature: 0,
      });
      // A redirect could lead the excerpt to somebody else.
      const response = await fetch(address, { method: "POST", headers, body, signal, redirect: "error" });
      const text = await boundedText(response);
      if (!response.ok) throw new DoomloopError("misuse", `opinion endpoint: status ${response.status}`);
      return contentOf(JSON.parse(text));
    },
  });
}

/** Throws a `DoomloopError` unless it is an address of the web. */
function addressOf(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new DoomloopError("invalid-option", "opinion endpoint: a http or https address is required");
  parsed.pathname = `${parsed.pathname.endsWith("/") ? parsed.pathname.slice(0, -1) : parsed.pathname}/chat/completions`;
  return parsed;
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    if (text.length > MAX_ANSWER) throw new DoomloopError("misuse", "opinion endpoint: the answer is too long");
  }
  return text;
}
