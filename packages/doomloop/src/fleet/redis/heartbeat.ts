import { QUOTA_MS } from "./deliver-suspicions.ts";
import type { FleetParts } from "./fleet-parts.ts";
import { readNews, readNewsPage } from "./news.ts";
import type { Command } from "./redis-commands.ts";
import { errorIn, listIn, numberIn, textIn } from "./replies.ts";
import { readSettingsText, settingsText } from "./settings-text.ts";

const MAX_PAGES = 5;

/**
 * Creates the heartbeat: one question that brings switch, settings, and the version of the news. Only where that has changed, news are read; only
 * where runs are new or ask to be stopped, anything is written. Beats follow each other, and one that has not begun serves all who ask.
 */
export function createHeartbeat(parts: FleetParts): () => Promise<void> {
  const { keys, link, permits, deadEnds, settings, suspicions, mode, watch } = parts;
  const agreement = settingsText(settings);
  const listen: readonly Command[] = [["MGET", keys.switch, keys.version, keys.quota], readSettingsText(keys)];
  let latest: string | undefined;
  let agreed: string | undefined;
  let version: string | undefined;
  let hasReadAll = false;
  let isSpent = false;
  let last: string | undefined;
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  const hear = ([values, text]: readonly unknown[]): void => {
    const [switched, versionNow, reported] = listIn(values).map(textIn);
    latest = versionNow;
    agreed = textIn(text) || undefined;
    mode.hear(switched);
    watch.settings(agreement, agreed);
    isSpent = (numberIn(reported) ?? 0) >= settings.tenantQuota;
    watch.quota(isSpent);
    suspicions.hold(isSpent);
  };

  /** Reads a page of the news; true if there is more to read. */
  const takePage = (replies: readonly unknown[], told: string | undefined): boolean => {
    const page = readNewsPage(replies, settings.windowMs, hasReadAll);
    for (const suspect of page.suspects) {
      if (suspect.calls > 0) deadEnds.set(suspect);
      else deadEnds.delete(suspect.name);
    }
    // Where there is nothing after what was read last, the store was emptied, and its clock set back.
    const isMore = page.isFull || (page.last === undefined && last !== undefined);
    last = page.last;
    if (!isMore) version = told;
    return isMore;
  };

  const readNewsUntil = async (told: string | undefined): Promise<void> => {
    for (let page = 0, isMore = true; isMore && page < MAX_PAGES; page++) {
      isMore = false;
      await link.ask([readNews(keys, last)], (answer) => {
        // Without the time, nobody can say how old news are: they are read again later.
        if (!(answer instanceof Error) && errorIn(answer) === undefined) isMore = takePage(answer, told);
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
      hear(answer);
      if (request.commands.length === 0) return;
      request.take(answer.slice(2 + wait.length));
      if (errorIn(answer) === undefined) watch.written();
    });
    if (link.state() !== "connected" || mode.current() === "off") return;
    // What was heard too late the last time is as true as any.
    const told = latest;
    // With a question that is answered in any case, to tell a refusal from a store that is away.
    if (agreed === undefined) await link.ask([[["SETNX", keys.settings, agreement], ...listen]], () => {});
    if (told !== version) await readNewsUntil(told);
    hasReadAll ||= told === version;
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
