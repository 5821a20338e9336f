/** Scroll the decision, without moving the page, until the lower end of what has grown is seen; what is pointed at stays on it. */
export function bringIn(element: Element | null): void {
  const body = element?.closest(".body");
  if (element && body) body.scrollTop += Math.max(0, element.getBoundingClientRect().bottom - body.getBoundingClientRect().bottom);
}

/** Scroll to what has just appeared in the decision, without moving the page. */
export function bringUp(element: Element | null): void {
  const body = element?.closest(".body");
  const head = body?.querySelector<HTMLElement>(".prompt")?.offsetHeight ?? 0; // it stays on top of what scrolls
  if (element && body) body.scrollTop += element.getBoundingClientRect().top - body.getBoundingClientRect().top - head;
}
