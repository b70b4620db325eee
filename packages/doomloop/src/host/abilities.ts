/** What a host lets us do. Told by the adapter, per host and sometimes per wiring. */
export interface HostAbilities {
  /** Where words to the agent can go: into a tool's result, into a message before the next answer, or nowhere. */
  readonly nudge: "result" | "message" | "none";
  /** Whether a call can be answered without being run. */
  readonly block: boolean;
  /** Whether the host ends a run at our word, shows words of ours as the agent's last answer, or cannot be ended by us. */
  readonly stop: "clean" | "answer" | "none";
  /**
   * Whether somebody puts things back when a run is to start over.
   * @default where the run can be ended: it is left to the program then
   */
  readonly restart?: boolean;
}
