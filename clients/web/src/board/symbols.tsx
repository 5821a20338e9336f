/** Symbols of the board, each in a square of side 100 around 0, 0; the same as in the SVG board. */

export function Port() {
  return (
    <g class="port">
      <circle r="48" stroke-width="7" />
      <path
        d="M0 -18V30M-13 -9H13M-26 6Q-24 29 0 31Q24 29 26 6M-33 13L-26 4L-17 12M33 13L26 4L17 12"
        stroke-width="7"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
      <circle cy="-25" r="7" stroke-width="6" />
    </g>
  );
}

export function Mine() {
  return (
    <g class="mine">
      <circle r="48" stroke-width="4" />
      <path d="M-24 28L19 -19M24 28L-19 -19M2 -31Q22 -27 29 -4" stroke-width="8" stroke-linecap="round" />
      <path d="M-31 -13L-13 -31" stroke-width="14" />
    </g>
  );
}

export function Fort() {
  return (
    <g class="fort">
      <path
        d="M-34 -44h17v13h9v-13h16v13h9v-13h17v34h-7v54h-54v-54h-7Z"
        stroke-width="7"
        stroke-linejoin="round"
      />
      <path class="gate" d="M-10 44v-22q10-13 20 0v22Z" />
    </g>
  );
}

/** A neutral pawn. */
export function Pawn() {
  return (
    <g class="pawn">
      <circle cy="-22" r="14" />
      <path d="M-9 -12H9L20 32H-20Z" />
    </g>
  );
}

const ROSE: readonly (readonly [number, number])[] = [
  [45, 0.62],
  [135, 0.62],
  [225, 0.62],
  [315, 0.62],
  [0, 1],
  [90, 1],
  [180, 1],
  [270, 1],
];

/** A compass rose. */
export function Rose() {
  return (
    <g class="rose">
      <circle r="25.5" stroke-width="0.5" />
      <circle r="23" stroke-width="0.9" />
      {ROSE.map(([angle, scale]) => (
        <g key={angle} transform={`rotate(${angle}) scale(${scale})`}>
          <path class="dark" d="M0 -40L7 -7L0 0Z" />
          <path class="light" d="M0 -40L-7 -7L0 0Z" />
          <path d="M0 -40L7 -7L0 0L-7 -7Z" />
        </g>
      ))}
    </g>
  );
}

/** Side of the square pattern of each terrain, and its drawing. */
export const PATTERNS: readonly (readonly [string, number, string])[] = [
  ["farmland", 44, "M4 12h14M8 17h14M26 34h14M22 39h14"],
  ["pasture", 46, "M8 16q1-6-2-9M11 16v-10M14 16q-1-6 2-9M31 39q1-6-2-9M34 39v-10M37 39q-1-6 2-9"],
  ["hills", 50, "M4 17q8-13 17 0M16 12q6-8 12 1M29 42q8-13 17 0"],
  ["forest", 42, "M10 18v-4M4 14h12L10 3ZM31 39v-4M25 35h12L31 24Z"],
  ["mountain", 56, "M4 22L15 4L26 22M15 4L19 15M31 50L42 32L53 50M42 32L46 43"],
];
