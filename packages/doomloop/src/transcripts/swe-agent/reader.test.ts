import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { sweAgent } from "./reader.ts";

transcriptReaderContract(sweAgent, { events: ["call", "result", "round", "text", "user"], hasUsage: false });
