import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { opencode } from "./reader.ts";

transcriptReaderContract(opencode, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
