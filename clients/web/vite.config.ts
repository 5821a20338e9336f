import { defineConfig } from "vitest/config";

/** Rules, tutorial and hints. */
const LATER = /\/docs\/rules|\/src\/(rules\/(Reader|page|dialog)|tutorial\/(Lesson|lessons|page)|play\/Hint\.)/;
const PAGE = "../../server/vinci_server/web/page";

export default defineConfig({
  build: {
    outDir: PAGE,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy of the server allows no data in addresses
    modulePreload: { polyfill: false }, // it would be an inline script
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // what is loaded when it is asked for does not count in the size of the page (tools/web_page.py)
        chunkFileNames: ({ moduleIds }) =>
          moduleIds.some((id) => LATER.test(id)) ? "assets/later-[name]-[hash].js" : "assets/[name]-[hash].js",
      },
    },
  },
  server: {
    fs: { allow: ["../.."] }, // the rules are those of docs
    // `vinci serve --web 8080` and `npm run dev` beside it
    proxy: { "/vinci.v1": process.env["VINCI_WEB"] ?? "http://127.0.0.1:8080" },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
