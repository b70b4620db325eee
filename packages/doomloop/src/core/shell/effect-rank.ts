/** How strongly a command touches the world, in the order in which one outweighs another within a chain. */
export const EffectRank = {
  /** Nothing that outlives the command, and nothing seen: `cd`, an assignment, `set -e`. */
  none: 0,
  look: 1,
  wait: 2,
  unknown: 3,
  change: 4,
} as const;

export type EffectRank = (typeof EffectRank)[keyof typeof EffectRank];
