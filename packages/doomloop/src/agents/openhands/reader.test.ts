import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { openhands } from "./reader.ts";

transcriptReaderContract(openhands, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});
