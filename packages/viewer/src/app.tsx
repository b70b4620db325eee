import { useErrorBoundary, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { readInWords } from "../../doomloop/src/scan/report/answer.ts";
import type { Report } from "../../doomloop/src/scan/report/report.ts";
import { formatTime } from "./format/format-time.ts";
import { Overview } from "./overview/overview.tsx";
import { Foreign } from "./page/foreign.tsx";
import { Notice } from "./page/notice.tsx";
import { ThemeToggle } from "./page/theme-toggle.tsx";
import { reportIndex } from "./report/report-index.ts";
import { useAddress } from "./route/use-address.ts";
import { useRoute, type Visit } from "./route/use-route.ts";
import { RunPage } from "./run/run-page.tsx";
import { parseView } from "./table/parse-view.ts";
import { FIRST_VIEW, type TableView } from "./table/table-view.ts";
import { viewLink } from "./table/view-link.ts";

/** The whole page: what stands on every route, and the route. */
export function App({ report }: { readonly report: Report }) {
  const visit = useRoute();
  const { route } = visit;
  const [fault] = useErrorBoundary();
  const index = useMemo(() => reportIndex(report), [report]);
  const { view, setView, overview } = useView(visit);
  const main = useRef<HTMLElement>(null);
  const place = route.page === "run" ? route.id : "";
  useArrival(main, place);

  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={overview}>
          <span class="brand-sign" aria-hidden="true" />
          doomloop
        </a>
        <span class="top-facts">Report of {formatTime(report.generatedAt) ?? "unknown time"}</span>
        <ThemeToggle />
      </header>
      <main id="content" tabIndex={-1} ref={main}>
        {report.includesContent === true && (
          <p class="banner">
            <strong>This report includes content:</strong> what tools were asked and what they answered. Look through it
            before you share it.
          </p>
        )}
        {report.stopped != null && (
          <p class="banner">
            <strong>This report is not complete:</strong> the scan was stopped, {readInWords(report.stopped)}.
          </p>
        )}
        {fault !== undefined ? (
          <Notice title="This part of the report cannot be shown">
            <p>Part of the report is not in the form that this page expects.</p>
          </Notice>
        ) : route.page === "run" ? (
          <RunPage
            key={route.id}
            index={index}
            id={route.id}
            visit={visit}
            includesContent={report.includesContent === true}
            overview={overview}
          />
        ) : (
          <Overview report={report} index={index} view={view} onView={setView} />
        )}
      </main>
      <footer class="bottom">
        Made by doomloop <Foreign text={report.generator.version} />, preset <Foreign text={report.generator.preset} />,{" "}
        {formatTime(report.generatedAt) ?? "at an unknown time"}. This page is one file. It loads nothing and sends
        nothing.
      </footer>
    </>
  );
}

/** What the reader has made of the table: the address says it, and a run that is looked at meanwhile does not change it. */
function useView(visit: Visit) {
  const { route } = visit;
  const [view, setView] = useState<TableView>(() => (route.page === "overview" ? parseView(route.query) : FIRST_VIEW));
  const overview = viewLink(view);
  useAddress(route.page === "overview" ? overview : undefined, "at once");
  // By visit: what the address said then, whatever it was made since.
  useLayoutEffect(() => {
    if (route.page !== "overview") return;
    const wanted = parseView(route.query);
    setView((shown) => (viewLink(shown) === viewLink(wanted) ? shown : wanted));
  }, [visit]);
  return { view, setView, overview };
}

/** A new page begins at its heading, for eyes and for screen readers; going back leads to where one was. */
function useArrival(main: { readonly current: HTMLElement | null }, place: string): void {
  const latest = useRef(place);
  const overviewScroll = useRef(0);
  const isOverview = place === "";
  useLayoutEffect(() => {
    if (!isOverview) return;
    const note = () => {
      overviewScroll.current = scrollY;
    };
    addEventListener("scroll", note, { passive: true });
    return () => removeEventListener("scroll", note);
  }, [isOverview]);
  useLayoutEffect(() => {
    if (latest.current === place) return;
    latest.current = place;
    main.current?.querySelector("h1")?.focus({ preventScroll: true });
    scrollTo(0, isOverview ? overviewScroll.current : 0);
  }, [place, isOverview, main]);
}
