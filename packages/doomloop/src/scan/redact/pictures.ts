import type { Draw } from "./letters.ts";
import { tokenAt } from "./token-at.ts";
import { WORD } from "./word-characters.ts";

/** Boxes, blocks, shapes and braille: what codes for cameras and drawings are made of. */
const SHAPES = "\\u2500-\\u25ff\\u2800-\\u28ff";
const MARKS = "!-/:-@[-`{-~";
const COLOUR = "(?:\\u001b|\\\\u001b|\\\\x1b|\\\\033|\\\\e)\\[[\\d;:]*m";
/** A line's first shape takes the space before it along: where a row of a picture begins is part of the picture. */
const OF_SHAPES = `(?:(?<![^\\n]) +)?[${SHAPES}][ ${SHAPES}]*`;
const LONG_MARKS = `[${MARKS}]{13,}`;
const LINE_OF_MARKS = `(?<![^\\n])[ \\t${MARKS}]{21,}(?![^\\r\\n])`;
/** Spaces on coloured ground. */
const OF_COLOURS = `(?:${COLOUR}[ ${SHAPES}]*){6,}`;
const PICTURE = new RegExp([LINE_OF_MARKS, OF_SHAPES, LONG_MARKS, OF_COLOURS].join("|"), "y");
/** Ends that are the beginning of what follows: an escape, a character by its number. */
const OPEN_END = /[\\%&#]{1,3}$/;
const NEXT = new RegExp(`[${WORD}]`, "y");
const BRACKETS = /^[[\]{}",:\\]+$/;

/** Where a picture may begin, for a pattern. */
export const PICTURE_START = `[${SHAPES}\\u001b]|(?<![^\\n]) +(?=[${SHAPES}])|${LINE_OF_MARKS}|${LONG_MARKS}`;

/** A picture that is made of marks, if one stands at a place; empty if not. */
export function pictureAt(text: string, at: number): string {
  const picture = tokenAt(PICTURE, text, at);
  return tokenAt(NEXT, text, at + picture.length) === "" ? picture : picture.replace(OPEN_END, "");
}

/** Whether a picture shows nothing: one mark over and over draws a line, and brackets are how data is nested. */
export function isPlainPicture(picture: string): boolean {
  const marks = picture.trim();
  return BRACKETS.test(marks) || (/^[!-~]/.test(marks) && marks === marks[0]!.repeat(marks.length));
}

/** As many marks, of two kinds. */
export function drawPicture(draw: Draw, picture: string): string {
  let drawn = "";
  while (drawn.length < picture.length) drawn += "#="[draw(2)]!;
  return drawn;
}
