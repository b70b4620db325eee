/** A call as a model makes it. */
export interface ModelCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An agent that is stuck, at a task of its own. */
export interface StuckConversation {
  readonly name: string;
  readonly task: string;
  /** The tools that it has, with the names of their arguments. */
  readonly tools: Readonly<Record<string, readonly string[]>>;
  /** The call that it makes each time, and what comes back. */
  step(at: number): ModelCall & { readonly output: string; readonly error?: true };
  /** Whether a next call would go on with the loop. */
  goesOn(call: ModelCall): boolean;
}

const FILES = { read_file: ["path"], write_file: ["path", "content"], grep: ["pattern", "path"], bash: ["command"] };
const isTool = (name: string) => (call: ModelCall) => call.tool === name;
const equals = (tool: string, args: object) => (call: ModelCall) =>
  call.tool === tool && JSON.stringify(call.args) === JSON.stringify(args);

const SETTINGS = "export const settings = {\n  region: 'eu-1',\n  retries: 3,\n};\n".repeat(6);
const MISSING = "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect (node:net:1555:16)";
const VARIANTS = ["invoice 2031", "invoice no. 2031", "invoice #2031", "the invoice 2031", "invoice number 2031"];

/** Hand-written, one for each way to be stuck that a next step can leave. */
export const STUCK: readonly StuckConversation[] = [
  {
    name: "reads one file again and again",
    task: "Set the number of retries in src/settings.ts to 5.",
    tools: FILES,
    step: () => ({ tool: "read_file", args: { path: "src/settings.ts" }, output: SETTINGS }),
    goesOn: equals("read_file", { path: "src/settings.ts" }),
  },
  {
    name: "runs failing tests without a change",
    task: "Make the tests pass.",
    tools: FILES,
    step: () => ({ tool: "bash", args: { command: "npm test" }, output: MISSING, error: true }),
    goesOn: equals("bash", { command: "npm test" }),
  },
  {
    name: "asks in other words",
    task: "Find invoice 2031 and say who wrote it.",
    tools: { search: ["query"], list_folders: [], ask_user: ["question"] },
    step: (at) => ({ tool: "search", args: { query: VARIANTS[at % VARIANTS.length] }, output: "No documents found." }),
    goesOn: isTool("search"),
  },
  {
    name: "reads and searches in turn",
    task: "Find where the region is read.",
    tools: FILES,
    step: (at) =>
      at % 2 === 0
        ? { tool: "read_file", args: { path: "src/settings.ts" }, output: SETTINGS }
        : { tool: "grep", args: { pattern: "region", path: "src" }, output: "src/settings.ts:2:  region: 'eu-1'," },
    goesOn: (call) =>
      equals("read_file", { path: "src/settings.ts" })(call) ||
      equals("grep", { pattern: "region", path: "src" })(call),
  },
  {
    name: "clicks a button that does nothing",
    task: "Order the book that is in the basket.",
    tools: { click: ["element"], type: ["element", "text"], snapshot: [], back: [] },
    step: () => ({ tool: "click", args: { element: "Pay now" }, output: "Clicked 'Pay now'. The page is unchanged." }),
    goesOn: equals("click", { element: "Pay now" }),
  },
  {
    name: "sends one mail again and again",
    task: "Tell Ann that the report is done.",
    tools: { send_mail: ["to", "text"], read_inbox: [] },
    step: () => ({ tool: "send_mail", args: { to: "ann@example.com", text: "The report is done." }, output: "Sent." }),
    goesOn: isTool("send_mail"),
  },
];
