/** Modules that are loaded when they are first needed, as most visits do without them. */

import { type ComponentChild, type FunctionComponent, h } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Return a module once it is wanted and loaded; undefined before. */
export function useLater<T>(isWanted: boolean, load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- always the same module
  useEffect(() => void (isWanted && load().then((module) => setLoaded(() => module))), [isWanted]);
  return isWanted ? loaded : undefined;
}

/** Return a view that is loaded when it is first drawn. */
export function laterView<P extends object>(load: () => Promise<FunctionComponent<P>>): (props: P) => ComponentChild {
  return (props) => {
    const View = useLater(true, load);
    return View ? h(View, props) : null;
  };
}
