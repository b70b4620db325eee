import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { otel } from "./reader.ts";

transcriptReaderContract(otel, { events: ["call", "result", "round", "text", "user"], hasUsage: true });
