import { useLayoutEffect, useState } from "preact/hooks";

const KEY = "doomloop-theme";
type Theme = "light" | "dark";

/** Switches between light and dark. Begins with what the system asks for. */
export function ThemeToggle() {
  const [chosen, setChosen] = useState<Theme | null>(remembered);
  const theme: Theme = chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const other: Theme = theme === "dark" ? "light" : "dark";

  useLayoutEffect(() => {
    if (chosen !== null) document.documentElement.dataset.theme = chosen;
  }, [chosen]);

  return (
    <button
      type="button"
      class="quiet"
      onClick={() => {
        setChosen(other);
        remember(other);
      }}
    >
      <span aria-hidden="true">{theme === "dark" ? "☀" : "☾"}</span> {other === "dark" ? "Dark" : "Light"}
      <span class="unseen"> colours</span>
    </button>
  );
}

/** A page from disk may not be allowed to remember anything. */
function remembered(): Theme | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === "light" || theme === "dark" ? theme : null;
  } catch {
    return null;
  }
}

function remember(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice holds until the page is closed.
  }
}
