/** Texts that the browser keeps for this page by key; in memory where it allows no storage. */

export interface Kept {
  /** Return the text of a key; undefined without one. */
  readonly read: (key: string) => string | undefined;
  /** Keep a text, or with undefined forget it. */
  readonly write: (key: string, text: string | undefined) => void;
}

/** Return what is kept in a storage of the browser, such as `() => sessionStorage`, which itself may raise an error. */
export function keptIn(storage: () => Storage): Kept {
  const memory = new Map<string, string>();
  return {
    read: (key) => {
      const text = memory.get(key);
      if (text !== undefined) return text;
      try {
        return storage().getItem(key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write: (key, text) => {
      memory.delete(key);
      try {
        if (text === undefined) storage().removeItem(key);
        else storage().setItem(key, text);
      } catch {
        if (text !== undefined) memory.set(key, text);
      }
    },
  };
}
