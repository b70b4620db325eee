/** What a chat's place tells: `<project>/chats/<file>`, for a subagent's `<project>/chats/<parent>/<file>`. */
export interface Place {
  /** The project's name, or undefined where older versions used a hash of its folder. */
  readonly project: string | undefined;
  readonly parent: string | undefined;
}

const HASH = /^[\da-f]{32,64}$/;

export function placeOf(path: string): Place {
  const parts = path.split(/[\\/]/);
  const at = parts.lastIndexOf("chats");
  const project = at > 0 ? parts[at - 1]! : "";
  return {
    project: project === "" || HASH.test(project) ? undefined : project,
    parent: at >= 0 && parts.length === at + 3 ? parts[at + 1] : undefined,
  };
}
