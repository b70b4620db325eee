import type { SampleSession } from "./turn.ts";

/** The records that Claude Code keeps of a session. */
export function asClaudeCode(session: SampleSession): readonly object[] {
  const { id: sessionId, project, model, begin, prompt, turns, lastWords } = session;
  const records: object[] = [];
  let atMs = Date.parse(begin);
  let cached = 18_000;
  const add = (afterSeconds: number, record: object): void => {
    atMs += afterSeconds * 1000;
    const place = { cwd: `/home/ada/${project}`, sessionId, version: "2.1.325", gitBranch: "main" };
    records.push({
      ...place,
      isSidechain: false,
      userType: "external",
      ...record,
      timestamp: new Date(atMs).toISOString(),
    });
  };
  const answer = (name: string, afterSeconds: number, content: object): void => {
    const usage = {
      input_tokens: 4,
      cache_creation_input_tokens: 420,
      cache_read_input_tokens: cached,
      output_tokens: 130,
    };
    cached += 550;
    const message = { id: name, type: "message", role: "assistant", model, content: [content], usage };
    add(afterSeconds, { type: "assistant", message });
  };

  add(0, { type: "user", message: { role: "user", content: prompt } });
  for (const [at, { tool, args, output, error = false, afterSeconds = 6 }] of turns.entries()) {
    const id = `toolu_${at}`;
    answer(`msg_${sessionId.slice(-3)}_${at}`, afterSeconds, { type: "tool_use", id, name: tool, input: args });
    const result = { tool_use_id: id, type: "tool_result", content: output, is_error: error };
    add(2, { type: "user", message: { role: "user", content: [result] } });
  }
  answer(`msg_${sessionId.slice(-3)}_end`, 5, { type: "text", text: lastWords });
  return records;
}
