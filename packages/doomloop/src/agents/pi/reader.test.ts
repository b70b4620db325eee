import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { piReader } from "./reader.ts";

transcriptReaderContract(piReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
