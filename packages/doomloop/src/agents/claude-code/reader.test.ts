import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { claudeCode } from "./reader.ts";

transcriptReaderContract(claudeCode, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
