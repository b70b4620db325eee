import { useRef, useState } from "preact/hooks";

/** One stop for the tab key in a row of buttons; arrow keys, Home and End move within. */
export function useRoving(length: number) {
  const [current, setCurrent] = useState(Math.max(0, length - 1));
  const list = useRef<HTMLOListElement>(null);

  const onKeyDown = (event: KeyboardEvent) => {
    const target = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: length - 1 }[event.key];
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = Math.min(length - 1, Math.max(0, target));
    setCurrent(next);
    list.current?.querySelectorAll("button")[next]?.focus();
  };
  return { list, onKeyDown, setCurrent, tabIndexOf: (index: number) => (index === current ? 0 : -1) };
}
