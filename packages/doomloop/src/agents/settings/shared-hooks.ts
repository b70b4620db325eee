import type { SharedFile } from "./agent-settings.ts";
import { isOwnCommand } from "./hook-command.ts";
import { addChild, childOf, type JsonNode, parseJsonText, removeChild } from "./json-text.ts";

const NAME = "statusLine";

/** Which lists and objects were not there before hooks were added. */
type MadeFor = readonly string[];

interface AddedHooks {
  readonly text: string;
  /** Events whose list was made; an empty name: the object of all of them. */
  readonly made: MadeFor;
}

/** Adds hooks behind those that are there. Undefined for a text that cannot be added to without losing something. */
export function addHooks(text: string, hooks: SharedFile["hooks"]): AddedHooks | undefined {
  let edited = text.trim() === "" ? "{}\n" : text;
  const made: string[] = [];
  if (objectIn(edited, "hooks") === undefined) return undefined;
  for (const [event, entry] of Object.entries(hooks)) {
    const root = parseJsonText(edited)!;
    const found = childOf(root, "hooks");
    if (found === undefined) {
      const all = Object.fromEntries(Object.entries(hooks).map(([name, one]) => [name, [one]]));
      return { text: addChild(edited, root, "hooks", all), made: ["", ...Object.keys(hooks)] };
    }
    const list = childOf(found, event);
    if (found.type !== "object" || hasTwins(found) || (list !== undefined && list.type !== "array")) return undefined;
    if (list === undefined) made.push(event);
    edited = list === undefined ? addChild(edited, found, event, [entry]) : addChild(edited, list, undefined, entry);
  }
  return { text: edited, made };
}

/** A name that keeps hooks from being added, because it stands there twice: `hooks`, or that of an event. */
export function twinIn(text: string): string | undefined {
  const found = (parseJsonText(text)?.children ?? []).filter(({ key }) => key === "hooks");
  if (found.length > 1) return "hooks";
  const names = (found[0]?.children ?? []).map(({ key }) => key);
  return names.find((name, at) => names.indexOf(name) < at);
}

/** Whether just these hooks of ours stand in a text, in whichever layout: some agents write their settings anew. */
export function hasHooks(text: string, hooks: SharedFile["hooks"]): boolean {
  const found = childOf(parseJsonText(text), "hooks");
  const events = Object.entries(hooks);
  const isThere = ([event, entry]: (typeof events)[number]): boolean => {
    const wanted = JSON.stringify(entry);
    return (childOf(found, event)?.children ?? []).some(({ start, end }) => plain(text.slice(start, end)) === wanted);
  };
  return ownCommands(text).length === events.length && events.every(isThere);
}

/** A value without its layout; undefined for one with comments. */
function plain(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Takes our hooks out, wherever they stand among the hooks; then the lists that were made for them, if nothing is left in them. */
export function removeHooks(text: string, made?: MadeFor): string | undefined {
  let edited = text;
  if (objectIn(edited, "hooks") === undefined) return undefined;
  for (;;) {
    const next = withoutOne(edited, made);
    if (next === undefined) return edited;
    edited = next;
  }
}

/** The commands of ours that stand in a text; `preferred` is the field of a handler that counts first, where it has that. */
export function ownCommands(
  text: string,
  preferred = "command",
): readonly { readonly event: string; readonly command: string }[] {
  const hooks = childOf(parseJsonText(text), "hooks");
  return (hooks?.children ?? []).flatMap((event) =>
    event.children.flatMap((entry) =>
      (childOf(entry, "hooks")?.children ?? []).flatMap((handler) =>
        commandsOf(handler, preferred).map((command) => ({ event: event.key ?? "", command })),
      ),
    ),
  );
}

function withoutOne(text: string, made: MadeFor | undefined): string | undefined {
  const root = parseJsonText(text)!;
  const hooks = childOf(root, "hooks");
  if (hooks === undefined) return undefined;
  for (const event of hooks.children) {
    for (const entry of event.children) {
      const handlers = childOf(entry, "hooks");
      const own = handlers?.children.find((handler) => commandsOf(handler).length > 0);
      if (handlers === undefined || own === undefined) continue;
      if (handlers.children.length > 1) return removeChild(text, handlers, own);
      const isLast = event.children.length === 1 && (made?.includes(event.key ?? "") ?? true);
      if (!isLast) return removeChild(text, event, entry);
      const isAll = hooks.children.length === 1 && (made?.includes("") ?? true);
      return isAll ? removeChild(text, root, hooks) : removeChild(text, hooks, event);
    }
  }
  return undefined;
}

function commandsOf(handler: JsonNode, preferred = "command"): readonly string[] {
  const { value } = childOf(handler, preferred) ?? childOf(handler, "command") ?? {};
  return isOwnCommand(value) ? [value as string] : [];
}

/** The whole text as an object in which a name stands once at most. */
function objectIn(text: string, name: string): JsonNode | undefined {
  const root = parseJsonText(text);
  if (root?.type !== "object") return undefined;
  return root.children.filter(({ key }) => key === name).length > 1 ? undefined : root;
}

/** A name twice: agents read the second, and we could write to either. */
function hasTwins({ children }: JsonNode): boolean {
  return new Set(children.map(({ key }) => key)).size < children.length;
}

/** Adds a status line to settings; undefined where there is one already: that is somebody's, and there is room for one only. */
export function addStatusLine(text: string, command: string): string | undefined {
  const root = parseJsonText(text);
  if (root?.type !== "object" || childOf(root, NAME) !== undefined) return undefined;
  return addChild(text, root, NAME, { type: "command", command });
}

/** The command of a status line that is ours. */
export function ownStatusLine(text: string): string | undefined {
  const { value } = childOf(childOf(parseJsonText(text), NAME), "command") ?? {};
  return isOwnCommand(value) ? (value as string) : undefined;
}

/** Takes a status line out that is ours. */
export function removeStatusLine(text: string): string {
  const root = parseJsonText(text);
  const line = childOf(root, NAME);
  return root === undefined || line === undefined || ownStatusLine(text) === undefined
    ? text
    : removeChild(text, root, line);
}
