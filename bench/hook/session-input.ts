/** What Claude Code tells a hook of a step in a healthy session: tests, each with another outcome. */
export function sessionInput(event: "PreToolUse" | "PostToolUse", step: number): string {
  const stdout = `${"a line of a test report\n".repeat(80)}${step} passed`;
  return JSON.stringify({
    session_id: "bench",
    transcript_path: "/home/user/.claude/projects/bench.jsonl",
    cwd: "/home/user/project",
    permission_mode: "default",
    hook_event_name: event,
    tool_name: "Bash",
    tool_input: { command: `npm test -- part-${step}`, description: "Runs tests" },
    tool_use_id: `toolu_${step}`,
    ...(event === "PostToolUse" && { tool_response: { stdout, stderr: "", interrupted: false, isImage: false } }),
  });
}
