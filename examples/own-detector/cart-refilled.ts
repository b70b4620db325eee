import { defineDetector } from "doomloop";

/** The shop's own loop: the agent empties the cart and fills it again, without ordering anything. */
export const cartRefilled = defineDetector({
  // What the detector remembers. It is saved in snapshots, so it has counts and no arguments.
  begin: () => ({ refills: 0, isEmptied: false, steps: [] as number[] }),
  inspect({ tool, index, isError }, memory) {
    if (isError) return undefined;
    if (tool === "place_order") Object.assign(memory, { refills: 0, isEmptied: false, steps: [] });
    if (tool === "empty_cart") memory.isEmptied = true;
    if (tool !== "add_to_cart" || !memory.isEmptied) return undefined;
    memory.isEmptied = false;
    memory.refills++;
    memory.steps = [...memory.steps, index].slice(-8);
    if (memory.refills < 3) return undefined;
    return { count: memory.refills, steps: memory.steps, about: "cart" };
  },
  says: ({ count }) => `You emptied the cart and filled it again ${count} times.`,
  advises: [
    "Write down what should be in the cart, and add only what is missing.",
    "If the cart is right, place the order.",
    "If you cannot decide, ask the customer one question.",
  ],
});
