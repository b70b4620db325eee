/** What comes first on a command line; a test holds it to the commands that there are. */
export const COMMAND_NAMES: readonly string[] =
  "scan show tune replay fleet init uninstall doctor allow hook checkpoint restore undo serve help".split(" ");
