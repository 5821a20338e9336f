/** Scroll to what has just appeared in the decision, without moving the page. */
export function bringUp(element: Element | null): void {
  const body = element?.closest(".body");
  if (element && body) body.scrollTop += element.getBoundingClientRect().top - body.getBoundingClientRect().top;
}
