/**
 * How frameworks tell the model, by default, that a tool failed. Each was read from the installed package; the versions are those of
 * November 2026. Where a framework passes the error on as it is, there is nothing to tell.
 */
export const frameworkErrors: readonly (readonly [
  framework: string,
  format: (error: string, tool: string) => string,
])[] = [
  // @openai/agents-core, openai-agents 0.x (Python): one sentence for every error
  ["OpenAI Agents", () => "An error occurred while running the tool. Please try again."],
  // openai 7.55, runTools
  ["openai", (_, tool) => `Invalid tool_call: "${tool}". Available options are: "a", "b". Please try again`],
  // langchain, @langchain/langgraph (JavaScript), langgraph-prebuilt (Python)
  ["LangGraph", (error) => `Error: ${error}\n Please fix your mistakes.`],
  [
    "LangGraph, arguments",
    (error, tool) =>
      `Error invoking tool '${tool}' with kwargs {} with error:\n ${error}\n Please fix the error and try again.`,
  ],
  // pydantic-ai-slim
  ["Pydantic AI", (error) => JSON.stringify({ error })],
  ["Pydantic AI, retry", (error) => `${error}\n\nFix the errors and try again.`],
  // crewai
  [
    "CrewAI",
    (error, tool) =>
      `\nI encountered an error while trying to use the tool. This was the error: ${error}.\n Tool ${tool} accepts these inputs: {}`,
  ],
  // smolagents
  [
    "smolagents",
    (error, tool) =>
      `Error:\nError executing tool '${tool}' with arguments {}: ${error}\nPlease try again or use another tool\nNow let's retry: take care not to repeat previous errors! If you have retried several times, try a completely different approach.`,
  ],
  // browser-use
  ["browser-use", (error, tool) => `Result\nError executing action ${tool}: ${error}`],
  // @google/adk, google-adk
  ["ADK", (error, tool) => JSON.stringify({ error: `Error in tool '${tool}': ${error}` })],
  // @strands-agents/sdk, strands-agents
  ["Strands", (error) => `Error: ${error}`],
  // @mastra/core
  [
    "Mastra, arguments",
    (error, tool) =>
      JSON.stringify({
        error: true,
        message: `Tool input validation failed for ${tool}. Please fix the following errors and try again:\n- ${error}`,
      }),
  ],
  // @modelcontextprotocol/sdk
  ["MCP", (error, tool) => `MCP error -32602: Input validation error: Invalid arguments for tool ${tool}: ${error}`],
  // Claude Code
  ["Claude Code", (error, tool) => `<tool_use_error>Error calling tool (${tool}): ${error}</tool_use_error>`],
  // @google/gemini-cli-core
  ["Gemini CLI", (error) => `Error: Tool call execution failed. Reason: ${error}`],
  // opencode-ai
  [
    "opencode",
    (error, tool) =>
      `The ${tool} tool was called with invalid arguments: ${error}\nPlease rewrite the input so it satisfies the expected schema.`,
  ],
  // litellm
  ["LiteLLM", (error) => `Error executing tool: ${error}`],
];
