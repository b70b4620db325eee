export type Route =
  | {
      readonly page: "overview";
      /** What the table is narrowed down to, as `parseView` reads it. */
      readonly query: string;
    }
  | { readonly page: "run"; readonly id: string; readonly call: number | null };

const CALL = /^[1-9]\d{0,14}$/;

/** Reads `#/run/ID` and `#/run/ID/CALL`; everything else is the overview, with what follows `#/?`. */
export function parseRoute(hash: string): Route {
  const [start, page, id, call] = hash.split("/");
  if (start !== "#" || page !== "run" || id === undefined || id === "")
    return { page: "overview", query: hash.startsWith("#/?") ? hash.slice(3) : "" };
  return { page: "run", id: decode(id), call: call !== undefined && CALL.test(call) ? Number(call) : null };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
