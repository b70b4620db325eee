import type { Redirect, Redirection } from "unbash";
import { type CommandDraft, raiseEffect } from "./command-draft.ts";
import { EffectRank } from "./effect-rank.ts";
import { Separator } from "./separator.ts";
import { wordText } from "./word-text.ts";

/** What the redirections of one command add up to. */
export interface RedirectionReading {
  /** Follows the words in the command's substance. */
  substance: string;
  writesFile: boolean;
  /** Is there a here-document or here-string? */
  hasDocument: boolean;
  /** The file of `< file`. */
  input: string | undefined;
}

/**
 * Reads a command's redirections; those that only move error messages leave no trace in the substance.
 *
 * Here-documents come last whatever their place, because `cat <<A > f` is `cat > f <<A`.
 */
export function readRedirections(draft: CommandDraft, redirections: readonly Redirection[]): RedirectionReading {
  const reading: RedirectionReading = { substance: "", writesFile: false, hasDocument: false, input: undefined };
  let documents = "";
  for (const redirection of redirections) {
    if (redirection.type === "HereDoc") {
      reading.hasDocument = true;
      documents += Separator.hereDocument + (redirection.delimiter?.quoted ? "'" : "$") + redirection.body.text;
    } else if (redirection.type === "HereString") {
      reading.hasDocument = true;
      documents += `${Separator.hereDocument}<${redirection.target ? wordText(draft, redirection.target) : ""}`;
    } else {
      readRedirect(draft, redirection, reading);
    }
  }
  reading.substance += documents;
  return reading;
}

function readRedirect(draft: CommandDraft, redirect: Redirect, reading: RedirectionReading): void {
  const { operator } = redirect;
  const target = redirect.target === undefined ? "" : wordText(draft, redirect.target);
  const descriptor = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined;
  if (operator === "<") {
    reading.input = target;
  } else if (operator !== "<&") {
    if (descriptor === 2 && (target === "1" || target === "/dev/null")) return;
    if (isRealFile(operator, target)) {
      reading.writesFile = true;
      raiseEffect(draft, EffectRank.change);
    }
    draft.isDiverted = true;
  }
  reading.substance += `${Separator.redirect}${descriptor ?? ""}${operator}${target}`;
}

function isRealFile(operator: string, target: string): boolean {
  if (operator === ">&" && /^(?:\d{1,9}-?|-)$/.test(target)) return false;
  return !target.startsWith("/dev/") || target.startsWith("/dev/shm/");
}
