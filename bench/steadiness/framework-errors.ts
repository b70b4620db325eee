/** How frameworks tell the model that a tool failed, by default. The texts come from the packages; each is told of one call. */
export const frameworkErrors: readonly (readonly [
  framework: string,
  format: (error: string, tool: string) => string,
])[] = [["OpenAI Agents", (error) => `An error occurred while running the tool. Please try again. Error: ${error}`]];
