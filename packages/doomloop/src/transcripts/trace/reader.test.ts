import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { trace } from "./reader.ts";

transcriptReaderContract(trace, {
  events: ["call", "compaction", "reasoning", "result", "round", "state", "text", "user"],
  hasUsage: false,
});
