import { useLayoutEffect } from "preact/hooks";

/** For what changes with every key that is held down: browsers refuse too many changes at a time. */
const PAUSE_MS = 250;

/**
 * Keeps the address in step with what is shown: at once, or when there is a pause. Undefined leaves it alone.
 *
 * Replaces, so that "back" leads to the page before and not through every step.
 */
export function useAddress(address: string | undefined, when: "at once" | "in a pause"): void {
  useLayoutEffect(() => {
    if (address === undefined) return;
    // A link that is followed next must leave the right address behind.
    if (when === "at once") return replace(address);
    const timer = setTimeout(() => replace(address), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [address, when]);
}

function replace(address: string): void {
  try {
    if ((location.hash || "#/") !== address) history.replaceState(null, "", address);
  } catch {
    // A page from disk may not be allowed to: links still work.
  }
}
