import type { ComponentChildren } from "preact";

/** The page where there is nothing to show: says why. */
export function Notice({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="notice">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}
