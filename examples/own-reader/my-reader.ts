import type { TranscriptReader } from "doomloop/transcripts";

/** Reads the transcripts of an agent that writes one step per line: `{"run": "a", "tool": "ls", "args": {}, "output": "..."}`. */
export const reader: TranscriptReader = {
  agent: "my-agent",
  label: "My agent",
  extensions: [".jsonl"],
  roots: ({ home }) => [`${home}/.my-agent/runs`],
  isMine: (_path, head) => head.includes('"run"') && head.includes('"tool"'),
  open(source, sink) {
    const begun = new Set<string>();
    return {
      record(value) {
        // The file comes from somebody else: any field may be anything.
        const { run, tool, args, output } = (value ?? {}) as Record<string, unknown>;
        if (typeof run !== "string" || typeof tool !== "string") return false;
        if (!begun.has(run)) sink.session(run, { project: source.path });
        begun.add(run);
        sink.event(run, { type: "call", tool, args });
        sink.event(run, { type: "result", output });
        return true;
      },
      end() {
        for (const run of begun) sink.end(run);
      },
    };
  },
};
