import { count } from "../../../doomloop/src/scan/report/words.ts";

interface PagerProps {
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
}

/** Goes through the pages of the table. */
export function Pager({ page, pages, onPage }: PagerProps) {
  const step = (label: string, target: number) => (
    <button
      type="button"
      aria-disabled={target < 0 || target >= pages || target === page}
      onClick={() => isPage(target) && onPage(target)}
    >
      {label}
    </button>
  );
  const isPage = (target: number) => target >= 0 && target < pages;
  return (
    <nav class="pager" aria-label="Pages of the table">
      {step("First", 0)}
      {step("Previous", page - 1)}
      <span role="status">
        Page {count(page + 1)} of {count(pages)}
      </span>
      {step("Next", page + 1)}
      {step("Last", pages - 1)}
    </nav>
  );
}
