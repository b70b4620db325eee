import type { DeadEnd } from "./dead-ends.ts";
import { createDeadEnds } from "./dead-ends.ts";

/** What the other workers are to be told of: dead ends found here, and those that are none any more. */
export interface Announcements {
  /** A dead end was seen here. Told on if it is new to the others, or has grown by half, or lasts noticeably longer. */
  found(deadEnd: DeadEnd): void;
  /** A fingerprint was looked at here and is no dead end. Told on if the others think so. */
  cleared(name: string): void;
  /** The others know this already. */
  heard(deadEnd: DeadEnd): void;
  unheard(name: string): void;
  news(): AnnouncementNews;
  told(news: AnnouncementNews): void;
  isWaiting(): boolean;
  /** Whether something waits that changes what others do. */
  isUrgent(): boolean;
  clear(): void;
}

export interface AnnouncementNews {
  readonly found: readonly DeadEnd[];
  readonly cleared: readonly string[];
}

const MAX_NEWS = 100;
const MAX_WAITING = 1000;

export function createAnnouncements(now: () => number, windowMs: number): Announcements {
  const heard = createDeadEnds(now);
  const heardAt = new Map<string, number>();
  const found = new Map<string, DeadEnd>();
  const cleared = new Set<string>();

  const hear = (deadEnd: DeadEnd): void => {
    heard.set(deadEnd);
    if (heardAt.size >= MAX_WAITING) heardAt.clear();
    heardAt.set(deadEnd.name, now());
  };

  return {
    found(deadEnd) {
      cleared.delete(deadEnd.name);
      const before = heard.get(deadEnd.name);
      if (before !== undefined) {
        const leftMs = before.lastsMs - (now() - (heardAt.get(deadEnd.name) ?? 0));
        if (deadEnd.calls < before.calls * 1.5 && deadEnd.lastsMs - leftMs < windowMs / 10) return;
      }
      if (found.size < MAX_WAITING) found.set(deadEnd.name, deadEnd);
    },
    cleared(name) {
      found.delete(name);
      if (heard.get(name) !== undefined && cleared.size < MAX_WAITING) cleared.add(name);
    },
    heard: hear,
    unheard(name) {
      heard.delete(name);
      cleared.delete(name);
    },
    news: () => ({ found: [...found.values()].slice(0, MAX_NEWS), cleared: [...cleared].slice(0, MAX_NEWS) }),
    told(news) {
      for (const deadEnd of news.found) {
        if (found.get(deadEnd.name) === deadEnd) found.delete(deadEnd.name);
        hear(deadEnd);
      }
      for (const name of news.cleared) {
        cleared.delete(name);
        heard.delete(name);
      }
    },
    isUrgent() {
      for (const name of found.keys()) if (heard.get(name) === undefined) return true;
      return cleared.size > 0;
    },
    isWaiting: () => found.size > 0 || cleared.size > 0,
    clear() {
      heard.clear();
      heardAt.clear();
      found.clear();
      cleared.clear();
    },
  };
}
