import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { copilotCli } from "./reader.ts";

transcriptReaderContract(copilotCli, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
