import { describe } from "vitest";
import { adapterContract } from "../../contracts/adapter.ts";
import { createDriver } from "./driver.ts";
import { chatLoop, responsesLoop, threadLoop } from "./loops.ts";

describe("doomloop/openai in a loop over Chat Completions", () => {
  adapterContract(
    createDriver(chatLoop, {
      "provider-executed": "Chat Completions has no calls that the provider runs in its messages",
    }),
  );
});

describe("doomloop/openai in a loop over Responses", () => {
  adapterContract(createDriver(responsesLoop));
});

describe("doomloop/openai in a loop over Responses whose server holds the conversation", () => {
  adapterContract(createDriver(threadLoop, { results: "the server holds them: the loop gives back its last request" }));
});
