interface ShareBarProps {
  /** From 0 to 1. */
  readonly share: number;
  /**
   * A part of the bar that stands out, from 0 to 1 of the whole width.
   * @default the whole bar
   */
  readonly part?: number;
}

/** A bar beside a figure. The figure says the same, so screen readers pass it over. */
export function ShareBar({ share, part = share }: ShareBarProps) {
  return (
    <svg class="share-bar" width="100%" height="8" aria-hidden="true">
      <rect class="share-all" width="100%" height="8" rx="4" />
      <rect class="share-fill" width={percent(share)} height="8" rx="4" />
      {part > 0 && <rect class="share-part" width={percent(part)} height="8" rx="4" />}
    </svg>
  );
}

/** A width in a picture. A share that is not nothing stays visible. */
export function percent(share: number): string {
  const bounded = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
  return `${bounded === 0 ? 0 : Math.max(0.8, 100 * bounded)}%`;
}
