import { useLayoutEffect, useState } from "preact/hooks";

/** How wide an element is, now and whenever that changes. */
export function useWidth(element: { readonly current: HTMLElement | null }, firstPx: number): number {
  const [widthPx, setWidth] = useState(firstPx);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWidth(Math.round(current.clientWidth) || firstPx);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, firstPx]);
  return widthPx;
}
