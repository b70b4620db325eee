import { seedOf } from "./random.ts";

/** One half to tune on, one to measure with. */
export type Half = "tune" | "aside";

/**
 * The half that a name belongs to: of an everyday run, its class.
 *
 * "split" makes the halves of every everyday set about equal. Low bits of the hash know little of the name.
 */
export function halfOf(name: string): Half {
  return (seedOf(`split ${name}`) >>> 7) % 2 === 0 ? "tune" : "aside";
}
