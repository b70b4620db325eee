/** Where in a run something happened. Calls are counted from 1, in every output. */
export function callsInWords(first: number, last: number): string {
  return first === last ? `call ${first}` : `calls ${first} to ${last}`;
}
