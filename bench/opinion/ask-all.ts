import { chatMessages, contentOf } from "../../packages/doomloop/src/opinion/ask-model.ts";
import { OPINION_SYSTEM } from "../../packages/doomloop/src/opinion/prompt.ts";
import { readVerdict } from "../../packages/doomloop/src/opinion/read-verdict.ts";
import type { OpenQuestion, RecordedVerdict } from "./judged-guard.ts";

interface Endpoint {
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
}

const AT_ONCE = 4;
const TIMEOUT_MS = 60_000;
const MAX_TOKENS = 2_000;

/** Asks an endpoint about each question. Those without an answer that can be read are left out. */
export async function askAll(questions: readonly OpenQuestion[], endpoint: Endpoint): Promise<RecordedVerdict[]> {
  const left = [...questions];
  const verdicts: RecordedVerdict[] = [];
  const work = async (): Promise<void> => {
    for (let question = left.shift(); question !== undefined; question = left.shift()) {
      const read = readVerdict(await ask(question, endpoint));
      if (read !== undefined) verdicts.push({ key: question.key, ...read });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return verdicts;
}

async function ask({ message }: OpenQuestion, { url, model, key }: Endpoint): Promise<unknown> {
  const messages = chatMessages({ system: OPINION_SYSTEM, message });
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, messages, max_tokens: MAX_TOKENS, temperature: 0 }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return contentOf(await response.json());
}
