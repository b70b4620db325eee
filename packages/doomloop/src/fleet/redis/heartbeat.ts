import { QUOTA_MS } from "./deliver-suspicions.ts";
import { readNews, readNewsPage } from "./fleet-news.ts";
import { readSettingsText, settingsText } from "./fleet-settings.ts";
import { type Command, errorIn, listIn, numberIn, textIn } from "./redis-commands.ts";
import type { FleetParts } from "./redis-fleet.ts";

const MAX_PAGES = 5;

/**
 * Creates the heartbeat: one request that fetches the switch, the settings, the quota and the version of the news. It reads the news only
 * if the version has changed, and writes only if there are active runs to announce or runs that ask to be stopped. Beats run one after
 * another, and all callers share a beat that has not begun.
 */
export function createHeartbeat(parts: FleetParts): () => Promise<void> {
  const { keys, link, permits, knownSuspects, settings, suspicions, mode, watch } = parts;
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
      if (suspect.calls > 0) knownSuspects.set(suspect);
      else knownSuspects.delete(suspect.name);
    }
    // If nothing comes after the last entry that was read, the store was emptied and its clock set back: start again.
    const isMore = page.isFull || (page.last === undefined && last !== undefined);
    last = page.last;
    if (!isMore) version = told;
    return isMore;
  };

  const readNewsUntil = async (told: string | undefined): Promise<void> => {
    for (let page = 0, isMore = true; isMore && page < MAX_PAGES; page++) {
      isMore = false;
      await link.ask([readNews(keys, last)], (answer) => {
        // If the reply lacks the time, the age of the news is unknown: read it again later.
        if (!(answer instanceof Error) && errorIn(answer) === undefined) isMore = takePage(answer, told);
      });
    }
  };

  const beat = async (): Promise<void> => {
    mode.weigh();
    const request = permits.request(watch.isRefused());
    // While the quota is used up, nobody delivers. Make sure that its key expires all the same.
    const wait: Command[] = isSpent ? [["PEXPIRE", keys.quota, String(QUOTA_MS), "LT"]] : [];
    await link.ask([[...listen, ...wait, ...request.commands]], (answer) => {
      if (answer instanceof Error) return;
      hear(answer);
      if (request.commands.length === 0) return;
      request.take(answer.slice(2 + wait.length));
      if (errorIn(answer) === undefined) watch.written();
    });
    if (link.state() !== "connected" || mode.current() === "off") return;
    // The version may come from a late reply to the previous beat. It is still valid.
    const told = latest;
    // The other commands are always answered, which tells a rejected SETNX from a store that is away.
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
