import { createGuard } from "doomloop";
import { findReader, readTranscript } from "doomloop/transcripts";

const reader = findReader("session.jsonl");
const guard = createGuard();
if (reader !== undefined)
  await readTranscript("session.jsonl", reader, {
    session: (run, facts) => console.log(run, facts.model),
    event: (run, event) => console.log(run, guard.observe(event).action),
    usage: (run, usage) => console.log(run, usage.outputTokens),
    end: (run) => console.log(run, "is over"),
  });
