import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { miniSweAgent } from "./reader.ts";

transcriptReaderContract(miniSweAgent, {
  events: ["call", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
