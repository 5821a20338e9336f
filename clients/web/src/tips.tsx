/** Explanations of signs and numbers: what has a `data-tip` tells it while it is pointed at, has the focus, or was touched. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Milliseconds for which a mouse rests before an explanation comes. */
const REST = 350;
const EDGE = 8;
const EXPLAINED = "[data-tip], [data-province]";

interface Tip {
  readonly text: string;
  /** What is explained; the explanation stands below it, or above it where there is no room. */
  readonly box: { readonly left: number; readonly top: number; readonly bottom: number };
  /** Right end of the place where it may stand. */
  readonly most: number;
}

/** Return properties of an element that nothing is done with, so that it explains itself by hovering, focus and touch. */
export function explained(text: string): { readonly "data-tip": string; readonly tabIndex: 0 } {
  return { "data-tip": text, tabIndex: 0 };
}

/** Shows the explanation that is asked for. */
export function Tips() {
  const [tip, setTip] = useState<Tip>();
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => listen(setTip), []);
  useLayoutEffect(() => {
    const element = view.current;
    if (!element || !tip) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const { left, top, bottom } = tip.box;
    element.style.left = `${Math.max(EDGE, Math.min(left, tip.most - width - EDGE))}px`;
    element.style.top = `${bottom + height + EDGE < innerHeight ? bottom + EDGE / 2 : Math.max(EDGE, top - height - EDGE / 2)}px`;
  }, [tip]);
  return (
    <div id="tip" class={`tip${tip ? " shown" : ""}`} role="tooltip" ref={view}>
      {tip?.text}
    </div>
  );
}

/** Return whether the pointer is on the explanation, which stays then, and not on a button below it, which can be pressed. */
function isOnTip({ target, clientX, clientY }: PointerEvent): boolean {
  const { left = 0, right = 0, top = 0, bottom = 0 } = document.querySelector(".tip.shown")?.getBoundingClientRect() ?? {};
  const isWithin = clientX > left && clientX < right && clientY > top && clientY < bottom;
  return isWithin && !(target as Element).closest("button, a, summary");
}

/** Listen to what asks for explanations, until the returned function is called. */
function listen(show: (tip: Tip | undefined) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTouched = false;
  const explain = (target: EventTarget | null, at?: PointerEvent): void => {
    const element = target instanceof Element ? target.closest<HTMLElement | SVGElement>(EXPLAINED) : null;
    const text = element?.dataset["tip"] ?? element?.getAttribute("aria-label") ?? "";
    if (!element || !text || element.ariaPressed === "true" || (isTouched && element.matches(".target"))) {
      // of what is chosen, the preview tells; a touch chooses
      show(undefined);
      return;
    }
    // of a province, the place that is pointed at: its bounds may reach far
    const isLand = element.dataset["province"] !== undefined && at !== undefined;
    const most = (isLand && (element as SVGElement).ownerSVGElement?.getBoundingClientRect().right) || innerWidth;
    show({ text, most, box: isLand ? { left: at.clientX + EDGE, top: at.clientY - 2 * EDGE, bottom: at.clientY + 2 * EDGE } : element.getBoundingClientRect() });
  };
  const over = (event: PointerEvent): void => {
    clearTimeout(timer);
    if (event.pointerType !== "mouse" || event.buttons !== 0) return;
    if (isOnTip(event)) return;
    timer = setTimeout(() => explain(event.target, event), REST);
  };
  const down = (event: PointerEvent): void => {
    clearTimeout(timer);
    isTouched = event.pointerType !== "mouse";
    show(undefined);
  };
  const click = (event: MouseEvent): void => {
    const isAct = event.target instanceof Element && event.target.closest("button, a, summary") !== null;
    if (isTouched && !isAct) explain(event.target, event as PointerEvent);
  };
  const focus = (event: FocusEvent): void => {
    const { target } = event;
    if (!(target instanceof Element) || !target.matches("[data-tip]:focus-visible")) return;
    target.setAttribute("aria-describedby", "tip");
    explain(target);
  };
  const blur = (event: FocusEvent): void => {
    if (event.target instanceof Element && event.target.matches("[data-tip]")) event.target.removeAttribute("aria-describedby");
    show(undefined);
  };
  const hide = (): void => {
    clearTimeout(timer);
    show(undefined);
  };
  const listeners = { pointerover: over, pointerdown: down, click, focusin: focus, focusout: blur, keydown: hide, scroll: hide } as Record<string, (event: never) => void>;
  for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener as EventListener, true);
  return () => {
    clearTimeout(timer);
    for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener as EventListener, true);
  };
}
