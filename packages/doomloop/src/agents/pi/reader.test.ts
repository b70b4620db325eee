import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { pi } from "./reader.ts";

transcriptReaderContract(pi, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
