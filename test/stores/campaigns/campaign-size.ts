/** `DOOMLOOP_CAMPAIGNS=full` runs what is published; otherwise campaigns are as short as a build allows. */
export const isFull = process.env.DOOMLOOP_CAMPAIGNS === "full";

export function campaignSize<Size>(size: { readonly short: Size; readonly full: Size }): Size {
  return isFull ? size.full : size.short;
}
