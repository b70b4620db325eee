interface Message {
  role: "user" | "assistant";
  content: string | object[];
}
declare const messages: Message[];

// #region resume
import { guardMessages } from "doomloop/anthropic";

const guard = guardMessages();
guard.resume(messages); // the list as the last process left it
// #endregion resume
