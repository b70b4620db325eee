/** Every third class. */
const EVERY = 3;

/**
 * The classes that are kept aside, of all classes of one file: the third, the sixth and so on by the alphabet.
 *
 * Whole classes, because runs of one class are alike: who tunes on some of them has tuned on the others.
 */
export function keptAside(classes: Iterable<string>): Set<string> {
  const sorted = [...new Set(classes)].sort();
  return new Set(sorted.filter((_, at) => at % EVERY === EVERY - 1));
}
