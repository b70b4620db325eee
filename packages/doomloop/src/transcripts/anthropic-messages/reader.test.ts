import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { anthropicMessages } from "./reader.ts";

transcriptReaderContract(anthropicMessages, {
  events: ["call", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
