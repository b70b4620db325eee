interface SavePictureProps {
  readonly id: string;
  /** Draws the picture when it is asked for. */
  readonly draw: () => string;
}

const KEPT_MS = 60_000;

/** Saves the ribbon as a file of its own. The picture holds no more than the report does. */
export function SavePicture({ id, draw }: SavePictureProps) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([draw()], { type: "image/svg+xml" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = `doomloop-${id.replaceAll(/[^A-Za-z0-9-]/g, "").slice(0, 40) || "run"}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
  };
  return (
    <p class="save-picture">
      <button type="button" class="small" onClick={save}>
        Save this picture (SVG)
      </button>
    </p>
  );
}
