import { defineConfig } from "vitest/config";

const PAGE = "../../server/vinci_server/web/page";

export default defineConfig({
  build: {
    outDir: PAGE,
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy of the server allows no data in addresses
    modulePreload: { polyfill: false }, // it would be an inline script
    reportCompressedSize: false,
  },
  server: {
    // `vinci serve --web 8080` and `npm run dev` beside it
    proxy: { "/vinci.v1": process.env["VINCI_WEB"] ?? "http://127.0.0.1:8080" },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
