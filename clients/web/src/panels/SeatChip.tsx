/** The number of a seat on its colour. */

export function SeatChip({ seat, isDeclined = false }: { seat: number; isDeclined?: boolean }) {
  return <span class={`chip seat${seat}${isDeclined ? " declined" : ""}`}>{seat}</span>;
}
