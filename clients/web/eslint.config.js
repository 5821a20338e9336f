import js from "@eslint/js";
import hooks from "eslint-plugin-react-hooks";
import typescript from "typescript-eslint";

import importCircles from "./import-circles.js";

export default typescript.config(
  { ignores: ["src/gen/", "node_modules/"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [...typescript.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    plugins: { "react-hooks": hooks, vinci: { rules: { "import-circles": importCircles } } },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "vinci/import-circles": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "no-restricted-syntax": [
        "error",
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: "Names and chat are rendered as text." },
      ],
    },
  },
  { files: ["src/match/**", "src/board/geometry.ts"], rules: { "no-restricted-globals": ["error", "window", "document", "fetch"] } },
  { files: ["vite.config.ts", "vitest.pages.ts"], extends: [typescript.configs.disableTypeChecked], languageOptions: { parserOptions: { project: null } } },
);
