import { render } from "preact";
import { App } from "./app.tsx";
import { Notice } from "./page/notice.tsx";
import { readReport } from "./report/read-report.ts";
import "./styles/index.css";

const page = document.getElementById("page");
const read = readReport(document.getElementById("doomloop-report")?.textContent ?? "");

if (page !== null) {
  page.replaceChildren();
  render("fault" in read ? <Fault words={read.fault} /> : <App report={read.report} />, page);
}

function Fault({ words }: { readonly words: string }) {
  return (
    <main>
      <Notice title="Nothing to show">
        <p>{words}</p>
      </Notice>
    </main>
  );
}
