import type OpenAI from "openai";

declare const client: OpenAI;

// #region second-opinion
import { observeMessages } from "doomloop/openai";
import { askModel } from "doomloop/opinion";

const observe = observeMessages({ secondOpinion: askModel(client, "gpt-4.1-mini") });

// #endregion second-opinion

export { observe };
