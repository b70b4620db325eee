import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { copilotCliReader } from "./reader.ts";

transcriptReaderContract(copilotCliReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
