import type { MessageTemplates } from "../../packages/doomloop/src/index.ts";
import { askModel, type ModelAddress } from "./ask-model.ts";
import { type Stage, stagesOf } from "./stages.ts";
import type { StuckConversation } from "./stuck-conversations.ts";

/** How often the next step left the loop. */
export interface Share {
  readonly left: number;
  readonly asked: number;
}

export interface WordsRow {
  readonly conversation: string;
  readonly level: Stage["level"];
  readonly withWords: Share;
  readonly without: Share;
}

/** Asks the model for the next step, with the guard's words and without them, at each stage of each conversation. */
export async function measureWords(
  address: ModelAddress,
  conversations: readonly StuckConversation[],
  samples: number,
  messages?: MessageTemplates,
): Promise<readonly WordsRow[]> {
  const rows: WordsRow[] = [];
  for (const conversation of conversations) {
    const share = async (asked: Stage["withWords"]): Promise<Share> => {
      let left = 0;
      for (let at = 0; at < samples; at++) {
        const calls = await askModel(address, asked, conversation.tools);
        // An answer in words leaves the loop, too: the agent says that it is done, or what it needs.
        if (!calls.some((call) => conversation.goesOn(call))) left++;
      }
      return { left, asked: samples };
    };
    for (const { level, withWords, without } of stagesOf(conversation, messages)) {
      rows.push({
        conversation: conversation.name,
        level,
        withWords: await share(withWords),
        without: await share(without),
      });
    }
  }
  return rows;
}

/** Shares of all conversations together, by level. */
export function byLevel(rows: readonly WordsRow[]): readonly WordsRow[] {
  const sum = (one: Share, other: Share): Share => ({ left: one.left + other.left, asked: one.asked + other.asked });
  const levels = new Map<Stage["level"], WordsRow>();
  for (const row of rows) {
    const known = levels.get(row.level);
    levels.set(row.level, {
      conversation: "all",
      level: row.level,
      withWords: known === undefined ? row.withWords : sum(known.withWords, row.withWords),
      without: known === undefined ? row.without : sum(known.without, row.without),
    });
  }
  return [...levels.values()];
}

/** The interval in which the true share lies in 95 of 100 cases, after Wilson. */
export function intervalOf({ left, asked }: Share): readonly [lowest: number, highest: number] {
  if (asked === 0) return [0, 1];
  const z = 1.96;
  const share = left / asked;
  const middle = share + z ** 2 / (2 * asked);
  const spread = z * Math.sqrt((share * (1 - share)) / asked + z ** 2 / (4 * asked ** 2));
  const scale = 1 + z ** 2 / asked;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}
