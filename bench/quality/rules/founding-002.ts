import { countAmongLast, holdsAt } from "./holds-at.ts";

/** Founding document 002: the same call three times among the last twenty. */
export const founding002 = holdsAt((steps, at) => countAmongLast(steps, at, 20, ({ key }) => key) >= 3);
