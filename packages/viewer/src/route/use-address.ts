import { useEffect } from "preact/hooks";

const PAUSE_MS = 250;

/**
 * Keeps the address in step with what is shown, once there is a pause: browsers refuse too many changes at a time.
 *
 * Replaces, so that "back" leads to the page before and not through every step.
 */
export function useAddress(address: string): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      try {
        if (location.hash !== address) history.replaceState(null, "", address);
      } catch {
        // A page from disk may not be allowed to: links still work.
      }
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [address]);
}
