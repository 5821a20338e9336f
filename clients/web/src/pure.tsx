/** Components that depend on their properties alone. */

import { Component, createElement, type FunctionComponent } from "preact";

/** Return a component that is drawn again only when one of its properties changes, or a hook of its own says so. */
export function pure<P extends object>(View: FunctionComponent<P>) {
  return class Pure extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !isSame(this.props, next);
    }

    override render() {
      return createElement(View, this.props as P);
    }
  };
}

/** Return whether two objects have the same properties. */
export function isSame(one: object, other: object): boolean {
  const [names, values] = [Object.keys(one), other as Record<string, unknown>];
  return names.length === Object.keys(other).length && names.every((name) => (one as Record<string, unknown>)[name] === values[name]);
}
