import { propertyRuns } from "./property-runs.ts";

/** `npm run test:deep` asks for what is published; otherwise campaigns are as short as a build allows. */
export const isFull = process.env.DOOMLOOP_CAMPAIGNS === "full" || propertyRuns() > 10_000;

export function campaignSize(size: { readonly short: number; readonly full: number }): number {
  return isFull ? size.full : size.short;
}
