import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { qwenCode } from "./reader.ts";

transcriptReaderContract(qwenCode, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
