import type { SampleSession, Turn } from "./turn.ts";

/** The records that Codex keeps of a session. All its calls are commands. */
export function asCodex({ id, project, model, begin, prompt, turns }: SampleSession): readonly object[] {
  const records: object[] = [];
  const cwd = `/home/ada/${project}`;
  let atMs = Date.parse(begin);
  let input = 9_000;
  const add = (afterSeconds: number, type: string, payload: object): void => {
    atMs += afterSeconds * 1000;
    records.push({ timestamp: new Date(atMs).toISOString(), type, payload });
  };

  add(0, "session_meta", { id, timestamp: begin, cwd, cli_version: "0.166.0", source: "exec" });
  add(0, "turn_context", { cwd, model });
  add(0, "response_item", { type: "message", role: "user", content: [{ type: "input_text", text: prompt }] });
  for (const [at, turn] of turns.entries()) {
    const call_id = `call_${at}`;
    const call = { name: "exec_command", arguments: JSON.stringify({ cmd: commandOf(turn) }) };
    add(turn.afterSeconds ?? 7, "response_item", { type: "function_call", ...call, call_id });
    const usage = {
      input_tokens: input,
      cached_input_tokens: input - 500,
      output_tokens: 90,
      total_tokens: input + 90,
    };
    add(0, "token_usage_record", { session_id: id, response_id: `resp_${at}`, usage });
    input += 300;
    const head = `Wall time: 0.1 seconds\nProcess exited with code ${turn.error === true ? 1 : 0}\nOutput:\n`;
    add(1, "response_item", { type: "function_call_output", call_id, output: `${head}${turn.output}\n` });
  }
  return records;
}

function commandOf({ args }: Turn): string {
  return args.command ?? (args.pattern === undefined ? `cat ${args.file_path}` : `rg ${args.pattern} src`);
}
