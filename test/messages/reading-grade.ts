const SENTENCE = /[.:!?](?=\s|$)/;
const VOWELS = /[aeiouy]+/g;

/** The words in a text. A name between backquotes is one word, and the guard's own name none. */
export function wordsIn(text: string): readonly string[] {
  return text
    .replace("[doomloop]", "")
    .replaceAll(/`[^`]*`/g, "name")
    .replaceAll(/^\s*\d+\. /gm, "")
    .split(/\s+/)
    .filter((word) => /[a-z0-9]/i.test(word));
}

/** The Flesch-Kincaid grade: the year of school in which a text is understood. */
export function readingGrade(text: string): number {
  const words = wordsIn(text);
  const sentences = text.split(/\n/).flatMap((line) => line.replace(/^\s*\d+\. /, "").split(SENTENCE));
  const count = sentences.filter((sentence) => wordsIn(sentence).length > 0).length;
  const syllables = words.reduce((sum, word) => sum + syllablesIn(word.toLowerCase()), 0);
  return 0.39 * (words.length / Math.max(1, count)) + 11.8 * (syllables / Math.max(1, words.length)) - 15.59;
}

/** Vowels that follow each other are one syllable, and a silent e is none. A number is one word of one syllable. */
function syllablesIn(word: string): number {
  const letters = word.replaceAll(/[^a-z]/g, "");
  const groups = letters.replace(/(?<=[^aeiouyl])e$|(?<=[^td])ed$/, "").match(VOWELS);
  return Math.max(1, groups?.length ?? 0);
}
