import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { geminiCli } from "./reader.ts";

transcriptReaderContract(geminiCli, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
