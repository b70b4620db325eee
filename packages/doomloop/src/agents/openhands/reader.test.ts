import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { openhandsReader } from "./reader.ts";

transcriptReaderContract(openhandsReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
