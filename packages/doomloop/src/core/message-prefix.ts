/** All that comes from the guard begins with this, so that it is known again when it comes back as a user's words. */
export const MESSAGE_PREFIX = "[doomloop]";
