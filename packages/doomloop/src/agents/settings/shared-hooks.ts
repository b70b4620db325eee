import type { SharedFile } from "./agent-settings.ts";
import { isOwnCommand } from "./hook-command.ts";
import { addChild, childOf, type JsonNode, parseJsonText, removeChild } from "./json-text.ts";

const NAME = "statusLine";

const FIELD = "hooks";

/** Adds hooks after the existing ones. Undefined if the text cannot be edited without losing something. */
export function addHooks(text: string, { hooks }: Pick<SharedFile, "hooks">): string | undefined {
  let edited = text.trim() === "" ? "{}\n" : text;
  if (objectIn(edited) === undefined) return undefined;
  for (const [event, entry] of Object.entries(hooks)) {
    const root = parseJsonText(edited)!;
    const found = childOf(root, FIELD);
    if (found === undefined) {
      const all = Object.fromEntries(Object.entries(hooks).map(([name, one]) => [name, [one]]));
      return addChild(edited, root, FIELD, all);
    }
    const list = childOf(found, event);
    if (found.type !== "object" || hasTwins(found) || (list !== undefined && list.type !== "array")) return undefined;
    edited = list === undefined ? addChild(edited, found, event, [entry]) : addChild(edited, list, undefined, entry);
  }
  return edited;
}

/** Why hooks cannot be added to a text. */
export function whyNotAdded(text: string): string {
  const root = parseJsonText(text);
  const found = (root?.children ?? []).filter(({ key }) => key === FIELD);
  const names = (found.length > 1 ? found : (found[0]?.children ?? [])).map(({ key }) => key);
  const twin = names.find((name, at) => names.indexOf(name) < at);
  if (twin !== undefined) return `the name ${JSON.stringify(twin)} appears twice`;
  return root?.type === "object" ? `"${FIELD}" must be an object with a list for each event` : "not JSON as expected";
}

/** Whether a text contains exactly these hooks of ours, in any layout. Some agents rewrite their settings. */
export function hasHooks(text: string, { hooks }: Pick<SharedFile, "hooks">): boolean {
  const found = childOf(parseJsonText(text), FIELD);
  const events = Object.entries(hooks);
  const isThere = ([event, entry]: (typeof events)[number]): boolean => {
    const wanted = JSON.stringify(entry);
    return (childOf(found, event)?.children ?? []).some(({ start, end }) => plain(text.slice(start, end)) === wanted);
  };
  return ownCommands(text).length === events.length && events.every(isThere);
}

/** A value without its layout. Undefined if it contains comments. */
function plain(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Removes our hooks, and the lists that are empty without them. */
export function removeHooks(text: string): string | undefined {
  let edited = text;
  if (objectIn(edited) === undefined) return undefined;
  for (;;) {
    const next = withoutOne(edited);
    if (next === undefined) return edited;
    edited = next;
  }
}

/** Our commands in a text. `preferred` is the field of a handler that is read first, if it exists. */
export function ownCommands(
  text: string,
  preferred = "command",
): readonly { readonly event: string; readonly command: string }[] {
  return (childOf(parseJsonText(text), FIELD)?.children ?? []).flatMap((event) =>
    event.children.flatMap((entry) =>
      (childOf(entry, "hooks")?.children ?? []).flatMap((handler) =>
        commandsOf(handler, preferred).map((command) => ({ event: event.key ?? "", command })),
      ),
    ),
  );
}

function withoutOne(text: string): string | undefined {
  const root = parseJsonText(text)!;
  const hooks = childOf(root, FIELD);
  if (hooks === undefined) return undefined;
  for (const event of hooks.children) {
    for (const entry of event.children) {
      const handlers = childOf(entry, "hooks");
      const own = handlers?.children.find((handler) => commandsOf(handler).length > 0);
      if (handlers === undefined || own === undefined) continue;
      if (handlers.children.length > 1) return removeChild(text, handlers, own);
      if (event.children.length > 1) return removeChild(text, event, entry);
      return hooks.children.length === 1 ? removeChild(text, root, hooks) : removeChild(text, hooks, event);
    }
  }
  return undefined;
}

function commandsOf(handler: JsonNode, preferred = "command"): readonly string[] {
  const { value } = childOf(handler, preferred) ?? childOf(handler, "command") ?? {};
  return isOwnCommand(value) ? [value as string] : [];
}

/** The whole text as an object, if the field of hooks occurs in it at most once. */
function objectIn(text: string): JsonNode | undefined {
  const root = parseJsonText(text);
  return root?.type === "object" && root.children.filter(({ key }) => key === FIELD).length < 2 ? root : undefined;
}

/** Whether a name occurs twice. Agents read the second, and an edit could hit the first. */
function hasTwins({ children }: JsonNode): boolean {
  return new Set(children.map(({ key }) => key)).size < children.length;
}

/** Adds a status line to settings. Undefined if somebody has one already, because there can be only one. */
export function addStatusLine(text: string, command: string): string | undefined {
  const root = parseJsonText(text);
  if (root?.type !== "object" || childOf(root, NAME) !== undefined) return undefined;
  return addChild(text, root, NAME, { type: "command", command });
}

/** The command of our status line. */
export function ownStatusLine(text: string): string | undefined {
  const { value } = childOf(childOf(parseJsonText(text), NAME), "command") ?? {};
  return isOwnCommand(value) ? (value as string) : undefined;
}

/** Removes our status line. */
export function removeStatusLine(text: string): string {
  const root = parseJsonText(text);
  const line = childOf(root, NAME);
  return root === undefined || line === undefined || ownStatusLine(text) === undefined
    ? text
    : removeChild(text, root, line);
}
