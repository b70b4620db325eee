import { useState } from "preact/hooks";

interface SavePictureProps {
  readonly id: string;
  /** Draws the picture when it is asked for. */
  readonly draw: () => string;
}

const KEPT_MS = 60_000;
/** A picture of points looks sharp on fine screens. */
const SCALE = 2;

/** Saves the ribbon as a file of its own, for a browser or for a chat. The picture holds no more than the report does. */
export function SavePicture({ id, draw }: SavePictureProps) {
  const [said, say] = useState("");
  const savePoints = async () => {
    try {
      download(id, "png", await pointsOf(draw()));
      say("");
    } catch {
      say("The browser could not draw it: save it as SVG");
    }
  };
  return (
    <p class="save-picture">
      <span>Save this picture</span>
      <button type="button" class="small" onClick={() => void savePoints()}>
        PNG<span class="unseen">: save this picture</span>
      </button>
      <button
        type="button"
        class="small"
        onClick={() => download(id, "svg", new Blob([draw()], { type: "image/svg+xml" }))}
      >
        SVG<span class="unseen">: save this picture</span>
      </button>
      <span role="status">{said}</span>
    </p>
  );
}

function download(id: string, ending: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = `doomloop-${id.replaceAll(/[^A-Za-z0-9-]/g, "").slice(0, 40) || "run"}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

/** An SVG as a PNG. The page's policy allows pictures only as part of their own address. */
async function pointsOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("no canvas");
  context.scale(SCALE, SCALE);
  context.drawImage(image, 0, 0);
  const file = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (file === null) throw new Error("no picture");
  return file;
}
