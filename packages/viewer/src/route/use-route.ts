import { useLayoutEffect, useState } from "preact/hooks";
import { parseRoute, type Route } from "./parse-route.ts";

/** A route that somebody went to. Going to the same one again is another visit. */
export interface Visit {
  readonly route: Route;
}

/** The route that the address names, now and after every change. */
export function useRoute(): Visit {
  const [visit, setVisit] = useState<Visit>(() => ({ route: parseRoute(location.hash) }));
  // Before the first picture: a link that is followed at once is not missed.
  useLayoutEffect(() => {
    const read = () => setVisit({ route: parseRoute(location.hash) });
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return visit;
}
