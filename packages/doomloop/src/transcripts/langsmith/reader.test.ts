import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { langsmith } from "./reader.ts";

transcriptReaderContract(langsmith, { events: ["call", "result", "round", "text", "user"], hasUsage: true });
