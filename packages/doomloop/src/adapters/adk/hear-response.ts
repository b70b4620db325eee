import type { ResponseLike } from "./plugin.ts";
import type { Turn } from "./tell-turns.ts";

const MAX_PIECES = 64;

/**
 * Hears what the model says and thinks beside its calls. An answer in a stream comes as a whole, too, and often words come first.
 *
 * An answer without a call is not heard: it ends the turn of its agent, and whoever runs that agent again, or another one, may have
 * a reason that nobody tells us.
 */
export function hearResponse({ content, partial }: ResponseLike, turn: Turn): void {
  if (partial === true) return;
  const parts = content?.parts ?? [];
  const pieces = [...turn.words, ...parts].filter(({ text }) => text !== undefined);
  const hasCall = parts.some(({ functionCall }) => functionCall !== undefined);
  turn.words = hasCall ? [] : pieces.slice(-MAX_PIECES);
  if (!hasCall) return;
  for (const { text = "", thought } of pieces) {
    if (thought === true) turn.run.reasoning(text);
    else turn.run.text(text, { partial: true });
  }
}
