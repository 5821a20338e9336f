/** What never changes on the board: water, land by terrain, borders, straits, names of seas. */

import type { Board, BoardMap } from "../gen/vinci/v1/game_pb";
import { outline } from "./geometry";
import { BASE, HATCH, type Labels, SEA_SPACING } from "./labels";
import { PATTERNS, Symbol } from "./symbols";

const TERRAINS = Array.from(PATTERNS.keys());
const SEATS = [1, 2, 3, 4, 5, 6];

/** Patterns of terrains and declined empires, and shapes to be used by name: each province, all land, and the land of each terrain. */
export function Definitions({ map, board }: { map: BoardMap; board: Board }) {
  const terrains = new Map(board.provinces.map(({ code, terrain }) => [code, terrain]));
  return (
    <defs>
      {Array.from(PATTERNS, ([terrain, [side, path]]) => (
        <pattern key={terrain} id={`terrain-${terrain}`} width={side} height={side} patternUnits="userSpaceOnUse">
          <path class={`sign ${terrain}`} d={path} />
        </pattern>
      ))}
      {SEATS.map((seat) => (
        <pattern
          key={seat}
          id={`declined-${seat}`}
          width={HATCH}
          height={HATCH}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <path class={`hatch seat${seat}`} d={`M0 ${HATCH / 2}h${HATCH}`} />
        </pattern>
      ))}
      <clipPath id="frame">
        <rect width={map.width} height={map.height} />
      </clipPath>
      <g id="land">
        {map.beyond && <path id="beyond" d={outline(map.beyond)} fill-rule="evenodd" />}
        {map.provinces.map((shape) => (
          <path key={shape.code} id={`land-${shape.code}`} d={outline(shape)} fill-rule="evenodd" clip-rule="evenodd" />
        ))}
      </g>
      {TERRAINS.map((terrain) => (
        <path
          key={terrain}
          id={`all-${terrain}`}
          d={map.provinces.filter(({ code }) => terrains.get(code) === terrain).map(outline).join("")}
          fill-rule="evenodd"
        />
      ))}
      {map.provinces.map(({ code }) => (
        <clipPath key={code} id={`in-${code}`}>
          <use href={`#land-${code}`} />
        </clipPath>
      ))}
    </defs>
  );
}

/** Water and land by terrain, below empires. */
export function Land({ map }: { map: BoardMap }) {
  return (
    <g class="below" clip-path="url(#frame)">
      <rect class="coast" width={map.width} height={map.height} />
      {[30, 20, 11].map((line) => (
        <use key={line} class="surf" href="#land" stroke-width={line} />
      ))}
      {map.seas.map((shape) => (
        <path key={shape.code} class="sea" d={outline(shape)} fill-rule="evenodd" />
      ))}
      <use class="shore" href="#land" />
      <use class="beyond" href="#beyond" />
      {TERRAINS.map((terrain) => (
        <use key={terrain} class={`terrain ${terrain}`} href={`#all-${terrain}`} />
      ))}
    </g>
  );
}

/** Signs of terrains, borders, straits and names of seas, above empires. */
export function Lines({ map, labels }: { map: BoardMap; labels: Labels }) {
  const { roseX = 0, roseY = 0, roseSide = 0 } = labels.places ?? {};
  return (
    <g class="above">
      {TERRAINS.map((terrain) => (
        <use key={terrain} href={`#all-${terrain}`} fill={`url(#terrain-${terrain})`} />
      ))}
      <rect class="map-frame" width={map.width} height={map.height} />
      <g class="borders">
        {map.provinces.map(({ code }) => (
          <use key={code} href={`#land-${code}`} />
        ))}
      </g>
      {map.straits.map(({ provinces, points }) => (
        <path key={provinces.join("-")} class="strait" d={`M${points.join(" ")}`} />
      ))}
      {labels.seas.flatMap(({ code, lines }) =>
        lines.map(({ text, x, y, size }) => (
          <text key={`${code} ${y}`} class="sea-name" x={x + (size * SEA_SPACING) / 2} y={y + size * BASE} font-size={size}>
            {text}
          </text>
        )),
      )}
      {roseSide > 0 && <Symbol name="rose" at={`translate(${roseX} ${roseY}) scale(${roseSide / 100})`} />}
    </g>
  );
}
