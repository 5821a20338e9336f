import { defineConfig } from "vitest/config";

/** Tests of whole pages in a browser, against a server; `make web-test` runs them. */
export default defineConfig({
  test: {
    include: [process.env["PAGES"] ?? "tests/pages/*.page.ts"],
    environment: "node",
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } }, // a busy machine needs more than the usual second
  },
});
