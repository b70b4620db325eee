const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Tools that finish, give up or hand over, by their whole names: of coding agents and of frameworks. The tests say whose they are. */
const WAYS_OUT = wordSet(
  `finish finished done exit conclude giveup give_up attempt_completion submit_and_exit exit_forfeit exit_loop sessions_yield
   final_answer final_result final_output final_response submit_answer submit_final_answer submit_solution submit_result
   structured_output strands_structured_output set_model_response
   exit_plan_mode plan_exit exit_spec_mode submit_plan plan_mode_respond get_user_choice adk_request_input
   transfer_to_agent transfer_back_to_supervisor`,
);
/** `complete_task`, `task_done`, `goal_blocked`, `end_conversation`. */
const END = wordSet("finish complete end conclude");
const ENDED = wordSet("complete completed done finished blocked");
const WORK = wordSet("task goal work run conversation");
/** Names that other tools have, too: only words may be passed. `submit { selector }` sends a form, `ask_question { repository }` searches. */
const PLAIN = wordSet("submit complete completed terminate answer final");
const ASKED = wordSet("question questions ask_question");
const SAID = wordSet(
  "answer final_answer result output response message text content summary reason status success explanation solution",
);
const QUESTION = wordSet("question questions options choices header multiple multiSelect task_progress");
/** What an argument says that reports an end: `update_goal { status: "blocked" }`. */
const END_STATES = wordSet("complete completed done finished blocked failed abandoned cancelled canceled");
const PERSON = wordSet("user human person people operator supervisor");
const HELP = wordSet("help clarification clarifying followup assistance intervention");
/** What else is in the name of a request to a person. */
const REQUESTED = wordSet("request for from to input approval feedback decision");
const REACHED = wordSet("agent assistant support specialist team");
/** What mini-SWE-agent prints from its shell when it is done, and SWE-agent's own commands. */
const FINISHED = /^\s{0,8}echo ["']?COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\b/;
const COMMANDS = wordSet("submit exit_forfeit");

/**
 * Whether a call finishes, gives up, hands over or asks a person: such a call is never refused. `words` are those of the tool's name.
 *
 * A name must not be one that tools have which do something else: `submit_order`, `complete_order` and `transfer_to_savings` are no ways out.
 */
export function isWayOut(words: readonly string[], fields: Readonly<Record<string, unknown>>): boolean {
  const name = words.join("_");
  const given = Object.keys(fields);
  if (WAYS_OUT.has(name)) return true;
  if (PLAIN.has(name)) return given.every((field) => SAID.has(field));
  if (ASKED.has(name)) return given.every((field) => QUESTION.has(field));
  return endsWork(words, fields) || asksPerson(words) || handsOver(words, given.length === 0);
}

function endsWork(words: readonly string[], fields: Readonly<Record<string, unknown>>): boolean {
  const [first = "", second = ""] = words;
  if (words.length === 2 && ((END.has(first) && WORK.has(second)) || (WORK.has(first) && ENDED.has(second))))
    return true;
  return words.includes("goal") && END_STATES.has(statusOf(fields));
}

/** Whether a command line is how an agent finishes that has nothing but a shell. */
export function isFinishingCommand(command: string): boolean {
  return COMMANDS.has(command.trim()) || FINISHED.test(command);
}

function asksPerson(words: readonly string[]): boolean {
  const [first, ...rest] = words;
  const isTo = (word: string): boolean => PERSON.has(word) || HELP.has(word);
  if (first === "ask" || first === "clarify") return rest.some(isTo);
  return first === "request" && rest.some(isTo) && words.every((word) => isTo(word) || REQUESTED.has(word));
}

/** A handoff has no arguments in most frameworks; a transfer of money has. */
function handsOver(words: readonly string[], isBare: boolean): boolean {
  const [first = "", second = "", ...rest] = words;
  if (first === "escalate" || words.includes("handoff")) return true;
  if (first === "hand") return second === "off" || second === "over";
  if (first !== "transfer" || second !== "to") return false;
  return isBare || rest.some((word) => PERSON.has(word) || REACHED.has(word));
}

/** Read without running a getter. */
function statusOf(fields: Readonly<Record<string, unknown>>): string {
  const value: unknown = Object.getOwnPropertyDescriptor(fields, "status")?.value;
  return typeof value === "string" ? value : "";
}
