import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { opencodeReader } from "./reader.ts";

transcriptReaderContract(opencodeReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
