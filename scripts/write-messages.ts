import { writeFileSync } from "node:fs";
import { messagesPage } from "./messages/messages-page.ts";

/** Writes the page of all messages. A test compares it with the code. */
writeFileSync(new URL("../docs/messages.md", import.meta.url), messagesPage());
