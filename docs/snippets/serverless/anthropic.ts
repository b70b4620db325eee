interface Message {
  role: "user" | "assistant";
  content: string | object[];
}
declare const messages: Message[];

// #region resume
import { guard } from "doomloop/anthropic";

const conversation = guard(messages); // the list as the last process left it

// #endregion resume

export { conversation };
