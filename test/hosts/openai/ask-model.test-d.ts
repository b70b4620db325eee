import { guard } from "doomloop/openai";
import { askModel, type SecondOpinion } from "doomloop/opinion";
import type OpenAI from "openai";
import type { AzureOpenAI } from "openai";
import { expectTypeOf } from "vitest";

declare const client: OpenAI;
declare const azure: AzureOpenAI;

/** The client fits, and so does what comes of it. */
export function takesClients(): void {
  expectTypeOf(askModel(client, "judge-1")).toEqualTypeOf<SecondOpinion>();
  expectTypeOf(askModel(client, "judge-1", { timeoutMs: 1_000 })).toEqualTypeOf<SecondOpinion>();
  askModel(azure, "judge-1");
  guard([], { secondOpinion: askModel(client, "judge-1") });
  // @ts-expect-error: a client has many models.
  askModel(client);
  // @ts-expect-error: the client itself is asked, not a part of it.
  askModel(client.chat, "judge-1");
}
