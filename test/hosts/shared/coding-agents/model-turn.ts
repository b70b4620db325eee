/** What the scripted model answers. */
export interface ModelTurn {
  /** How long the model thinks first. */
  readonly afterMs?: number;
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly args: object }[];
}

/** How one model's interface speaks: which requests are the agent's, and how an answer is sent. */
export interface Wire {
  /** What the agent appends its paths to. */
  readonly base: string;
  /** The fields of a request that the model reads; others tell who asks. */
  readonly read: readonly string[];
  /** Whether a request asks for the next turn; others (titles, counts of tokens) are not the agent's. */
  isTurn(path: string, body: Readonly<Record<string, unknown>>): boolean;
  /**
   * What is answered to requests that are not the agent's.
   * @default "{}"
   */
  readonly aside?: string;
  /** The body of an answer, as a stream of events where `isStream`. `number` counts the turns. */
  answer(turn: ModelTurn, number: number, isStream: boolean): string;
}

/** Server-sent events, one after the other. */
export function eventStream(events: readonly object[], hasNames: boolean): string {
  return events
    .map(
      (event) => `${hasNames ? `event: ${(event as { type?: string }).type}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
    )
    .join("");
}

export function hasTools(body: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(body.tools) && body.tools.length > 0;
}
