/** Where things stand in a picture, in pixels. */
export interface Frame {
  readonly width: number;
  /** The right end of what a call came to. */
  readonly outcomeEnd: number;
  /** Where the words about a call begin: below the call, or beside it. */
  readonly notesAt: number;
  readonly areNotesBeside: boolean;
  /** Sizes of type. */
  readonly size: number;
  readonly noteSize: number;
}

export const EDGE = 20;
export const TILE = 34;
export const TILE_AT = 54;
export const TEXT_AT = 100;

/** For a phone, where a picture is some 340 pixels wide. */
export const PHONE: Frame = {
  width: 440,
  outcomeEnd: 424,
  notesAt: TILE_AT,
  areNotesBeside: false,
  size: 15,
  noteSize: 15,
};

/** For pages: everything in one column. */
export const NARROW: Frame = {
  width: 640,
  outcomeEnd: 620,
  notesAt: TEXT_AT,
  areNotesBeside: false,
  size: 16,
  noteSize: 15,
};

/** For the width of a README: the words of the guard beside the calls. */
export const WIDE: Frame = {
  width: 880,
  outcomeEnd: 396,
  notesAt: 416,
  areNotesBeside: true,
  size: 16,
  noteSize: 15,
};
