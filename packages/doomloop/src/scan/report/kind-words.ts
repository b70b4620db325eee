interface KindWords {
  readonly name: string;
  readonly meaning: string;
}

const KINDS = new Map<string, KindWords>(
  Object.entries({
    "call-cycle": { name: "Calls in turn", meaning: "The same few calls in turn, with the same results." },
    "repeated-call": { name: "Same call again", meaning: "The same call with the same result." },
    "similar-call": { name: "Nearly the same call", meaning: "Calls that differ a little, with the same results." },
    "same-outcome": { name: "Same outcome", meaning: "Different calls that came to one and the same outcome." },
    "test-fix": {
      name: "Fixes without effect",
      meaning: "The same check failed again and again, whatever was changed.",
    },
    "failure-streak": { name: "Failures in a row", meaning: "Call after call of one tool failed." },
    stalled: {
      name: "Many ways to nothing",
      meaning: "One thing was tried in other words, and nothing new came of it.",
    },
    "repeated-text": { name: "Same words again", meaning: "The same words over and over within one answer." },
    "text-only": { name: "Words, no work", meaning: "Answer after answer without a call." },
    custom: { name: "Your own", meaning: "What a detector of your own has found." },
    fleet: { name: "Whole swarm stuck", meaning: "Many workers stuck on the same call." },
  }),
);

/** A kind of loop in plain words; one that this page does not know keeps its own name. */
export function kindWords(kind: string): KindWords {
  return KINDS.get(kind) ?? { name: kind, meaning: "" };
}
