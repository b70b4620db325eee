/** Whether a foreign value is an object: something that can have fields, and be the key of a weak map. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
