import { render } from "preact";
import sample from "../../../doomloop/assets/sample/claude-code/5f0c2a71-6d1e-4c55-9d0b-3a1f5be0c101.jsonl?raw";
import { Playground } from "./playground.tsx";
import "../styles/index.css";
import "./playground.css";

/** The build says which version this is. */
declare const DOOMLOOP_VERSION: string;

const page = document.getElementById("page");
const policy = document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute("content");

if (page !== null) {
  page.replaceChildren();
  render(<Playground version={DOOMLOOP_VERSION} sample={sample} policy={policy ?? ""} />, page);
}
