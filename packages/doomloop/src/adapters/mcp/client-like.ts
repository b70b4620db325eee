/** The two methods of an MCP client that are wrapped. Majors differ in what follows the first parameter, which is passed on. */
export interface ClientLike {
  callTool(...parameters: never[]): Promise<object>;
  listTools(...parameters: never[]): Promise<object>;
}

/** What a tool gave back. */
export interface ResultLike {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}
