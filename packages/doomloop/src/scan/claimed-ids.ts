/** Numbers that were claimed, in little room. */
export interface ClaimedIds {
  has(id: number): boolean;
  add(id: number): void;
}

const FIRST_SLOTS = 1 << 12;
/** Some 20 GB of transcripts, in 34 MB. Answers beyond are not remembered: a copy of one is counted again. */
const MAX_IDS = 1 << 21;

/** Creates the set. Ids are whole numbers from 1 to 2^53, spread evenly; a `Set` takes five times the room. */
export function createClaimedIds(maxIds = MAX_IDS): ClaimedIds {
  let slots = new Float64Array(FIRST_SLOTS);
  let count = 0;

  /** Where the id is, or the free slot where it would be. */
  const slotOf = (id: number): number => {
    let slot = id % slots.length;
    while (slots[slot] !== 0 && slots[slot] !== id) slot = (slot + 1) % slots.length;
    return slot;
  };

  const grow = (): void => {
    const before = slots;
    slots = new Float64Array(before.length * 2);
    for (const id of before) if (id !== 0) slots[slotOf(id)] = id;
  };

  return {
    has: (id) => slots[slotOf(id)] === id,
    add(id) {
      const slot = slotOf(id);
      if (slots[slot] === id || count >= maxIds) return;
      slots[slot] = id;
      if (++count * 2 > slots.length) grow();
    },
  };
}
