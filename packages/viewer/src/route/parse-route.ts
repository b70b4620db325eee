export type Route =
  | { readonly page: "overview" }
  | { readonly page: "run"; readonly id: string; readonly call: number | null };

/** Reads `#/run/ID` and `#/run/ID/CALL`; everything else is the overview. */
export function parseRoute(hash: string): Route {
  const [start, page, id, call] = hash.split("/");
  if (start !== "#" || page !== "run" || id === undefined || id === "") return { page: "overview" };
  const number = call === undefined ? Number.NaN : Number.parseInt(call, 10);
  return { page: "run", id: decode(id), call: Number.isSafeInteger(number) && number > 0 ? number - 1 : null };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
