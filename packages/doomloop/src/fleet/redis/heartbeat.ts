import { QUOTA_MS } from "./deliver-suspicions.ts";
import type { FleetParts } from "./fleet-parts.ts";
import { readNews, readNewsPage } from "./news.ts";
import type { Command } from "./redis-commands.ts";
import { errorIn, listIn, numberIn, textIn } from "./replies.ts";
import { settingsText } from "./settings-text.ts";

const MAX_PAGES = 5;
const MAX_SETTINGS = 255;

/**
 * Creates the heartbeat: one `MGET` that brings switch, settings, and the version of the news. Only where that has changed, news are read; only
 * where runs are new or ask to be stopped, anything is written. Beats follow each other, and one that has not begun serves all who ask.
 */
export function createHeartbeat(parts: FleetParts): () => Promise<void> {
  const { keys, link, permits, deadEnds, settings, suspicions, mode, watch } = parts;
  const agreement = settingsText(settings);
  const listen: readonly Command[] = [
    ["MGET", keys.switch, keys.version, keys.quota],
    // The one key that holds a text of a worker: no more of it is read than there should be.
    ["GETRANGE", keys.settings, "0", String(MAX_SETTINGS)],
  ];
  let heard: readonly (string | undefined)[] = [];
  let version: string | undefined;
  let hasReadAll = false;
  let isSpent = false;
  let last: string | undefined;
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const hear = ([switched, , reported]: readonly (string | undefined)[], agreed: string | undefined): void => {
    mode.hear(switched);
    watch.settings(agreement, agreed || undefined);
    isSpent = (numberIn(reported) ?? 0) >= settings.tenantQuota;
    watch.quota(isSpent);
    suspicions.hold(isSpent);
  };

  /** Reads a page of the news; true if there is more to read. */
  const takePage = (replies: readonly unknown[], latest: string | undefined): boolean => {
    const page = readNewsPage(replies, settings.windowMs, hasReadAll);
    for (const suspect of page.suspects) {
      if (suspect.calls > 0) deadEnds.set(suspect);
      else deadEnds.delete(suspect.name);
    }
    // Where there is nothing after what was read last, the store was emptied, and its clock set back.
    const isMore = page.isFull || (page.last === undefined && last !== undefined);
    last = page.last;
    if (!isMore) version = latest;
    return isMore;
  };

  const readNewsUntil = async (latest: string | undefined): Promise<void> => {
    for (let page = 0, isMore = true; isMore && page < MAX_PAGES; page++) {
      isMore = false;
      await link.ask([readNews(keys, last)], (answer) => {
        // Without the time, nobody can say how old news are: they are read again later.
        if (!(answer instanceof Error) && errorIn(answer) === undefined) isMore = takePage(answer, latest);
      });
    }
  };

  const beat = async (): Promise<void> => {
    mode.weigh();
    const request = permits.request(watch.isRefused());
    // Who waits for the next minute sees to it that it comes.
    const wait: Command[] = isSpent ? [["PEXPIRE", keys.quota, String(QUOTA_MS), "LT"]] : [];
    await link.ask([[...listen, ...wait, ...request.commands]], (answer) => {
      if (answer instanceof Error) return;
      heard = [...listIn(answer[0]).map(textIn), textIn(answer[1])];
      hear(heard, heard[3]);
      if (request.commands.length === 0) return;
      request.take(answer.slice(2 + wait.length));
      if (errorIn(answer) === undefined) watch.written();
    });
    if (link.state() !== "connected" || mode.current() === "off") return;
    // What was heard too late the last time is as true as any.
    const [, latest, , agreed] = heard;
    // With a question that is answered in any case, to tell a refusal from a store that is away.
    if (!agreed) await link.ask([[["SETNX", keys.settings, agreement], ...listen]], () => {});
    if (latest !== version) await readNewsUntil(latest);
    hasReadAll ||= latest === version;
  };

  return () => {
    next ??= Promise.resolve(underWay).then(() => {
      next = undefined;
      return beat();
    });
    underWay = next;
    return next;
  };
}
