/** Modules that are loaded when they are first needed, as most visits do without them. */

import { useEffect, useState } from "preact/hooks";

/** Return a module once it is wanted and loaded; undefined before. */
export function useLater<T>(isWanted: boolean, load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- always the same module
  useEffect(() => void (isWanted && load().then((module) => setLoaded(() => module))), [isWanted]);
  return isWanted ? loaded : undefined;
}
