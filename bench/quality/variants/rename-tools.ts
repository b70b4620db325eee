import type { AgentEvent } from "../../../packages/doomloop/src/index.ts";
import { randomFrom } from "../random.ts";

const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";
const SYLLABLES = 4;

/** Gives every tool a word without a meaning for a name: equal names stay equal, different ones stay different. */
export function renameTools(events: readonly AgentEvent[], seed: number): AgentEvent[] {
  const random = randomFrom(seed);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const nameOf = (tool: string): string => {
    const known = names.get(tool);
    if (known !== undefined) return known;
    let word = wordFrom(random);
    while (taken.has(word)) word = wordFrom(random);
    taken.add(word);
    names.set(tool, word);
    return word;
  };
  return events.map((event) => (event?.type === "call" ? { ...event, tool: nameOf(event.tool) } : event));
}

function wordFrom(random: () => number): string {
  const letterOf = (letters: string): string => letters.charAt(Math.floor(random() * letters.length));
  return Array.from({ length: SYLLABLES }, () => letterOf(CONSONANTS) + letterOf(VOWELS)).join("");
}
