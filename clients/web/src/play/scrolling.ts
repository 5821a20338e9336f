/** Scroll to what has just appeared in the decision, without moving the page. */
export function bringUp(element: Element | null): void {
  const body = element?.closest(".body");
  const head = body?.querySelector<HTMLElement>(".prompt")?.offsetHeight ?? 0; // it stays on top of what scrolls
  if (element && body) body.scrollTop += element.getBoundingClientRect().top - body.getBoundingClientRect().top - head;
}
