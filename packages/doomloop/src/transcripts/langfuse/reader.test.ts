import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { langfuse } from "./reader.ts";

transcriptReaderContract(langfuse, { events: ["call", "result", "round", "text", "user"], hasUsage: true });
