import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { openaiMessages } from "./reader.ts";

transcriptReaderContract(openaiMessages, {
  events: ["call", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
