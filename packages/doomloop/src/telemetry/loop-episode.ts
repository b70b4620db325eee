/** Tokens of one or more model answers, as the host's provider reports them. */
export interface TokenUsage {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
}

/** What a loop has cost since it was last reported. */
export interface EpisodeCost {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
}

/** Measures what a run spends in a loop after the loop was first found. */
export interface LoopEpisode {
  call(): void;
  tokens(usage: TokenUsage): void;
  /** A loop shows. Returns what was spent since it showed last: nothing, if it has only just begun. */
  found(): EpisodeCost;
  /** The user spoke, or the run begins anew: whatever comes is not the same loop going on. */
  end(): void;
}

/** Calls without a finding after which a loop is over. The ladder takes a nudge for obeyed after five rounds. */
const MAX_GAP = 16;

/**
 * Creates the measure of one run.
 *
 * What is spent counts when the next finding shows that the loop went on, never before: an agent that heeds a nudge
 * costs nothing more, whatever it does next.
 */
export function createLoopEpisode(): LoopEpisode {
  let isOpen = false;
  let calls = 0;
  let input = 0;
  let output = 0;

  const begin = (isLooping: boolean): void => {
    isOpen = isLooping;
    calls = 0;
    input = 0;
    output = 0;
  };

  return {
    call() {
      if (!isOpen) return;
      calls++;
      if (calls > MAX_GAP) begin(false);
    },
    tokens(usage) {
      if (!isOpen) return;
      input += amount(usage.input);
      output += amount(usage.output);
    },
    found() {
      const cost = { calls, input, output };
      begin(true);
      return cost;
    },
    end: () => begin(false),
  };
}

function amount(tokens: unknown): number {
  return typeof tokens === "number" && Number.isFinite(tokens) && tokens > 0 ? tokens : 0;
}
