/** What is used of a socket. */
export interface WritableSocket {
  cork(): void;
  uncork(): void;
}

/** So many commands are written at most before the server sees the first: it begins while others are still being made. */
const MAX_TOGETHER = 16;

/**
 * Returns a function to call before each command, with the socket that it goes to. It holds the socket until the end of the turn, so
 * that commands made in one turn are written together. A client that writes each by itself asks the system once for each, and wakes
 * the server up for each.
 */
export function createWriteTogether(): (socket: WritableSocket | undefined) => void {
  let held: WritableSocket | undefined;
  let commands = 0;

  const release = (): void => {
    const socket = held;
    held = undefined;
    socket?.uncork();
  };

  return (socket) => {
    if (socket === held && commands++ < MAX_TOGETHER) return;
    release();
    if (socket === undefined) return;
    held = socket;
    commands = 1;
    socket.cork();
    // Before anything else of the process runs.
    process.nextTick(release);
  };
}
