import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { codex } from "./reader.ts";

transcriptReaderContract(codex, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
