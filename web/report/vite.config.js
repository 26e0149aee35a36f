// Builds the page as one file, dist/report.html, with its script and its style inside.
import { defineConfig } from "vite";

const inlined = {
  name: "inline",
  enforce: "post",
  generateBundle(_, bundle) {
    const page = bundle["index.html"];
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type === "chunk") {
        const script = `<script type="module">${file.code.replaceAll("</script", "<\\/script").trim()}</script>`;
        page.source = page.source.replace(new RegExp(`<script[^>]*src="[^"]*${name}"[^>]*></script>`), () => script);
        delete bundle[name];
      } else if (name.endsWith(".css")) {
        const style = `<style>${String(file.source).trim()}</style>`;
        page.source = page.source.replace(new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`), () => style);
        delete bundle[name];
      }
    }
    if (/\s(src|href)="(?!data:)/.test(page.source.replace(/<script type="module">[^]*?<\/script>/, ""))) {
      throw new Error("the page still refers to another file");
    }
    page.fileName = "report.html";
  },
};

export default defineConfig({
  base: "./",
  plugins: [inlined],
  build: {
    target: "es2020",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: false,
    reportCompressedSize: false,
  },
  esbuild: { legalComments: "none", charset: "ascii" },
});
