import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { geminiCliReader } from "./reader.ts";

transcriptReaderContract(geminiCliReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
