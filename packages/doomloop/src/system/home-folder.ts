import { homedir } from "node:os";
import { UsageError } from "./usage-error.ts";

/** The home folder of the user. Throws a `UsageError` if there is none: a user of a container may be in no list of users. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    throw new UsageError(
      "HOME is not set, and the system knows no home folder of this user: set HOME to a folder that this user can write to",
    );
  }
}
