import { expect, it } from "vitest";
import { hintOf } from "./calls.ts";

const isWayOut = (tool: string, args: object = {}): boolean => hintOf(tool, args).isWayOut;

it.each<[who: string, tools: string]>([
  ["Claude Code", "ExitPlanMode AskUserQuestion StructuredOutput EndConversation"],
  ["Codex", "request_user_input"],
  ["Gemini CLI", "ask_user complete_task exit_plan_mode"],
  ["Qwen Code", "ask_user_question exit_plan_mode structured_output"],
  ["Copilot CLI", "task_complete ask_user exit_plan_mode"],
  ["opencode", "question plan_exit StructuredOutput"],
  ["Cline", "attempt_completion ask_followup_question ask_question submit_and_exit plan_mode_respond"],
  ["OpenClaw", "ask_user sessions_yield"],
  ["OpenHands", "finish"],
  ["SWE-agent", "submit exit_forfeit"],
  ["Goose", "recipe__final_output"],
  ["Trae", "task_done"],
  ["browser-use", "done"],
  ["Droid", "ExitSpecMode AskUser"],
  ["smolagents", "final_answer"],
  ["Pydantic AI", "final_result"],
  ["OpenAI Agents SDK", "transfer_to_billing transfer_to_Refund_Agent"],
  ["LangGraph", "transfer_to_alice transfer_back_to_supervisor"],
  ["ADK", "transfer_to_agent exit_loop set_model_response finish_task get_user_choice adk_request_input"],
  ["Mastra", "ask_user submit_plan task_complete"],
  ["Strands", "handoff_to_user handoff_to_agent strands_structured_output"],
  ["Claude Agent SDK", "mcp__harness__finish mcp__people__ask_human"],
  [
    "others",
    "give_up transfer_to_human escalate_to_support request_human_help ask_for_help submit_answer hand_off goal_blocked",
  ],
])("knows the way out of %s", (_, tools) => {
  expect(tools.split(" ").filter((tool) => !isWayOut(tool))).toEqual([]);
});

it.each([
  ["update_goal", { status: "blocked" }, { status: "in_progress" }],
  ["submit", { answer: "42" }, { selector: "#send" }],
  ["terminate", { status: "success" }, { instance: "i-1" }],
  ["ask_question", { question: "Which?", options: [] }, { repoName: "a/b", question: "How?" }],
  ["transfer_to_savings", {}, { amount: 100 }],
  ["bash", { command: "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" }, { command: "npm test # COMPLETE_TASK" }],
  ["bash", { command: " submit\n" }, { command: "npm run submit" }],
])("goes by what is given to %s", (tool, out, other) => {
  expect([isWayOut(tool, out), isWayOut(tool, other)]).toEqual([true, false]);
});

it("takes no other tool for a way out", () => {
  const others = `read_file send_mail get_user frobnicate submit_order submit_form submit_job submit_review complete_order code_completion
     chat_completion list_completed get_blocked mark_done terminate_instance give_feedback answer_call attempt_login exit_code finish_upload
     end_transaction notify_user request_user_data question_bank ask_database stop transfer_file create_goal get_goal update_plan`;

  expect(others.split(/\s+/).filter((tool) => isWayOut(tool))).toEqual([]);
});
