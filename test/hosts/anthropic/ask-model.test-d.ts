import type Anthropic from "@anthropic-ai/sdk";
import { guard } from "doomloop/anthropic";
import { askModel, type SecondOpinion } from "doomloop/opinion";
import { expectTypeOf } from "vitest";

declare const client: Anthropic;

/** The client fits, and so does what comes of it. */
export function takesClients(): void {
  expectTypeOf(askModel(client, "judge-1")).toEqualTypeOf<SecondOpinion>();
  expectTypeOf(askModel(client, "judge-1", { shows: "shapes" })).toEqualTypeOf<SecondOpinion>();
  guard([], { secondOpinion: askModel(client, "judge-1") });
  // @ts-expect-error: a client has many models.
  askModel(client);
}
