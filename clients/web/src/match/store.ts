/** A place for a model: it takes events, and tells those who draw it. */

import { useEffect, useState } from "preact/hooks";

import { type Event, type Model, update } from "./model";

export interface Store {
  readonly model: () => Model;
  readonly dispatch: (event: Event) => void;
  /** Call a function after each change, until the returned one is called. */
  readonly subscribe: (changed: () => void) => () => void;
}

/** Return a store that starts with a model. */
export function createStore(start: Model): Store {
  let model = start;
  const listeners = new Set<() => void>();
  return {
    model: () => model,
    dispatch: (event) => {
      const after = update(model, event);
      if (after === model) return;
      model = after;
      for (const changed of listeners) changed();
    },
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** Return the model of a store and draw again when it changes. */
export function useModel(store: Store): Model {
  const [model, setModel] = useState(store.model());
  useEffect(() => {
    setModel(store.model());
    return store.subscribe(() => setModel(store.model()));
  }, [store]);
  return model;
}
