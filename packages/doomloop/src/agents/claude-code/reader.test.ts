import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { claudeCodeReader } from "./reader.ts";

transcriptReaderContract(claudeCodeReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
