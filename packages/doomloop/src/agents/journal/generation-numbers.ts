import { readdirSync } from "node:fs";
import { isAbsence } from "./journal-fault.ts";

const NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/** The generations in a journal's folder, lowest first; none if the folder is not there. */
export function generationNumbers(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => NUMBER.test(name))
      .map(Number)
      .sort((one, other) => one - other);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}
