import { withBase } from "vitepress";
import theme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";

/** On every page, because a search leads to any of them. To be deleted with the first release. */
const unpublished = () =>
  h("p", { class: "unpublished" }, [
    "doomloop isn't on npm yet: ",
    h("a", { href: withBase("/#install") }, "install it from a clone"),
    ".",
  ]);

export default { ...theme, Layout: () => h(theme.Layout, null, { "doc-before": unpublished }) };
