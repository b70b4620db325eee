import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { qwenCodeReader } from "./reader.ts";

transcriptReaderContract(qwenCodeReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
