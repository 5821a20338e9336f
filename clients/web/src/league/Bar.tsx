/** A small picture of an interval, beside those of others. */

export interface Interval {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** Return intervals as shares of the range of all of them, or of those that set the scale, from 0 to 100; what is beyond is cut off. */
export function intervals(all: readonly Interval[], scale: readonly Interval[] = all): Interval[] {
  const least = Math.min(...scale.map(({ low }) => low));
  const range = Math.max(...scale.map(({ high }) => high)) - least || 1;
  const share = (value: number): number => Math.min(100, Math.max(0, (100 * (value - least)) / range));
  return all.map(({ low, middle, high }) => ({ low: share(low), middle: share(middle), high: share(high) }));
}

/** Draw an interval of shares and its middle. */
export function Bar({ range: { low, middle, high } }: { range: Interval }) {
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="interval" x={low} y="2.5" width={high - low} height="5" />
      <rect class="middle" x={Math.min(99, Math.max(0, middle - 0.5))} y="0" width="1" height="10" />
    </svg>
  );
}
