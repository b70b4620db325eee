import type OpenAI from "openai";

declare const client: OpenAI;
declare const messages: OpenAI.ChatCompletionMessageParam[];

// #region second-opinion
import { guard } from "doomloop/openai";
import { askModel } from "doomloop/opinion";

const observe = guard(messages, { secondOpinion: askModel(client, "gpt-4.1-mini") });

// #endregion second-opinion

export { observe };
