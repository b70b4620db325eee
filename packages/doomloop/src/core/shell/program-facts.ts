import { ARGUMENT_RULES, type ArgumentRule } from "./argument-rules.ts";
import { EffectRank } from "./effect-rank.ts";
import {
  CHANGING_PROGRAMS,
  FILE_PROGRAMS,
  FILE_VIEWERS,
  LISTING_OPTIONS,
  LOOKING_PROGRAMS,
  PRINTING_PROGRAMS,
  SETUP_PROGRAMS,
  SHELLS,
  WAITING_PROGRAMS,
} from "./programs.ts";
import { SUBCOMMANDS, type Subcommands } from "./subcommands.ts";
import { WRAPPERS, type Wrapper } from "./wrappers.ts";

/** All that the lists say about one program, gathered so that a command needs one lookup. */
export interface ProgramFacts {
  readonly effect: EffectRank;
  readonly rule: ArgumentRule | undefined;
  readonly subcommands: Subcommands | undefined;
  readonly listingOptions: ReadonlySet<string> | undefined;
  readonly wrapper: Wrapper | undefined;
  readonly isShell: boolean;
  readonly isFileViewer: boolean;
  readonly isFileProgram: boolean;
  readonly isPrinting: boolean;
}

const UNKNOWN_PROGRAM = gather("");
const FACTS: ReadonlyMap<string, ProgramFacts> = new Map(
  [
    LOOKING_PROGRAMS,
    CHANGING_PROGRAMS,
    WAITING_PROGRAMS,
    SETUP_PROGRAMS,
    SHELLS,
    ARGUMENT_RULES.keys(),
    SUBCOMMANDS.keys(),
    WRAPPERS.keys(),
  ].flatMap((programs) => [...programs].map((program) => [program, gather(program)] as const)),
);

/** What is known about a program, by its own name without the path. */
export function programFacts(program: string): ProgramFacts {
  return FACTS.get(program) ?? UNKNOWN_PROGRAM;
}

function gather(program: string): ProgramFacts {
  return {
    effect: listedEffect(program),
    rule: ARGUMENT_RULES.get(program),
    subcommands: SUBCOMMANDS.get(program),
    listingOptions: LISTING_OPTIONS.get(program),
    wrapper: WRAPPERS.get(program),
    isShell: SHELLS.has(program),
    isFileViewer: FILE_VIEWERS.has(program),
    isFileProgram: FILE_PROGRAMS.has(program),
    isPrinting: PRINTING_PROGRAMS.has(program),
  };
}

function listedEffect(program: string): EffectRank {
  if (CHANGING_PROGRAMS.has(program)) return EffectRank.change;
  if (WAITING_PROGRAMS.has(program)) return EffectRank.wait;
  if (LOOKING_PROGRAMS.has(program)) return EffectRank.look;
  return SETUP_PROGRAMS.has(program) ? EffectRank.none : EffectRank.unknown;
}
