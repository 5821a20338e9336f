import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import { apart, around, type Box, fittedNames, Ground, onMap, placedCosts, shared } from "../src/board/fitting";
import { arrow, bounded, enlarged, nearest, panned, showing, type View, whole } from "../src/board/geometry";
import { labelsOf, lengthOf, MARK, MARKS, rowOf, tokenWidth } from "../src/board/labels";
import { BoardMapSchema, MapLabelSchema, ProvinceSchema } from "../src/gen/vinci/v1/game_pb";

const MAP = { width: 2400, height: 2100 };
const WINDOW = { width: 960, height: 840 };
const seen = (view: View, left: number, top: number): number[] => [view.x + left / view.scale, view.y + top / view.scale];

describe("views", () => {
  test("the whole map is as large as the window allows, in its middle", () => {
    expect(whole(MAP, WINDOW)).toEqual({ x: 0, y: 0, scale: 0.4 });
    expect(whole(MAP, { width: 2000, height: 840 })).toEqual({ x: (2400 - 2000 / 0.4) / 2, y: 0, scale: 0.4 });
  });

  test("what is under the pointer stays there while the map is enlarged", () => {
    const before = bounded(MAP, WINDOW, { x: 500, y: 400, scale: 1 });
    const after = enlarged(MAP, WINDOW, before, 1.7, 333, 222);
    seen(after, 333, 222).forEach((place, at) => expect(place).toBeCloseTo(seen(before, 333, 222)[at] ?? 0));
  });

  test("the map cannot be lost: neither by panning nor by size", () => {
    expect(panned(MAP, WINDOW, { x: 100, y: 100, scale: 1 }, 9999, 9999)).toEqual({ x: 0, y: 0, scale: 1 });
    expect(panned(MAP, WINDOW, { x: 100, y: 100, scale: 1 }, -9999, -9999)).toEqual({ x: 1440, y: 1260, scale: 1 });
    expect(enlarged(MAP, WINDOW, whole(MAP, WINDOW), 0.1, 0, 0)).toEqual(whole(MAP, WINDOW));
    expect(enlarged(MAP, WINDOW, whole(MAP, WINDOW), 1000, 0, 0).scale).toBeCloseTo(3.2);
  });

  test("a point is brought into view, and the view stays if it is there already", () => {
    const view = { x: 0, y: 0, scale: 2 };
    expect(showing(MAP, WINDOW, view, 200, 200)).toEqual(view);
    const [left, top] = [(2000 - showing(MAP, WINDOW, view, 2000, 1500).x) * 2, (1500 - showing(MAP, WINDOW, view, 2000, 1500).y) * 2];
    expect([left, top]).toEqual([840, 735]);
  });
});

test("an arrow begins and ends at a distance from the points that it joins", () => {
  const { shaft, head } = arrow([0, 0], [100, 0], 10);
  const [startX = 0] = shaft.slice(1).split(/[ Q]/).map(Number);
  const [tipX = 0] = head.slice(1).split(" ").map(Number);
  expect(startX).toBeGreaterThan(9);
  expect(tipX).toBeLessThan(91);
});

test("arrow keys go to the nearest point in their direction", () => {
  const points = new Map([
    ["west", [-50, 5]],
    ["far", [-200, 0]],
    ["north", [10, -80]],
    ["here", [0, 0]],
  ] as [string, [number, number]][]);
  expect(nearest(points, [0, 0], -1, 0)).toBe("west");
  expect(nearest(points, [0, 0], 0, -1)).toBe("north");
  expect(nearest(points, [0, 0], 1, 0)).toBeUndefined();
});

test("without names, port and mine have a sign if an own trait scores them, left of one that has none", () => {
  const province = create(ProvinceSchema, { port: true, mine: true });
  const shown = (wanted: string) => rowOf(province, undefined, wanted).map(({ kind, isAlways }) => (isAlways ? kind : `(${kind})`));
  expect(shown("")).toEqual(["(port)", "(mine)"]);
  expect(shown("mine pawn")).toEqual(["mine", "(port)"]);
  expect(lengthOf(rowOf(province, undefined), true)).toBe(0);
  expect(lengthOf(rowOf(province, undefined, "port"), true)).toBe(MARKS * MARK);
});

test("signs that no own trait scores are left out where the row beside a name would have small digits", () => {
  const province = create(ProvinceSchema, { port: true, mine: true });
  const garrison = { seat: 1, isDeclined: false, pawns: 1, fort: true };
  const shown = (marksWidth: number, wanted = "") => rowOf(province, garrison, wanted, create(MapLabelSchema, { marksWidth })).map(({ kind }) => kind);
  const whole = lengthOf(rowOf(province, garrison));
  expect(shown(0.8 * whole)).toEqual(["token", "fort", "port", "mine"]);
  expect(shown(0.7 * whole)).toEqual(["token", "fort", "port"]);
  expect(shown(0.3 * whole)).toEqual(["token", "fort"]);
  expect(shown(0.3 * whole, "mine")).toEqual(["token", "fort", "mine"]);
});

const FILES = import.meta.glob<JsonValue>("../../../server/vinci_rules/data/boards/*/map.json", { eager: true, import: "default" });

describe.each(Object.entries(FILES))("labels of %s", (_name, file) => {
  const map = fromJson(BoardMapSchema, file, { ignoreUnknownFields: true });
  const nameless = (code: string): string => `no name of ${code}`;

  test.each(["en", "fr", "nl", "de"])("in %s every province and sea has its name, with room for its garrison that no other has", (language) => {
    const labels = labelsOf(map, language, nameless, nameless);
    expect([...labels.provinces.keys()]).toEqual(map.provinces.map(({ code }) => code));
    expect(labels.seas.map(({ code }) => code)).toEqual(map.seas.map(({ code }) => code));
    const texts = [...labels.provinces.values(), ...labels.seas].map(({ lines }) => lines.map(({ text }) => text).join(" "));
    for (const text of texts) expect(text).not.toMatch(/^$|no name/);
    const width = tokenWidth(1, MARKS);
    const rows = [...labels.provinces.values()].map(({ marksX: x, marksY: y, marksWidth }) => {
      expect(marksWidth).toBeGreaterThan(width);
      return { left: x - width / 2, right: x + width / 2, top: y - (MARKS * MARK) / 2, bottom: y + (MARKS * MARK) / 2 };
    });
    rows.forEach((one, place) => {
      for (const other of rows.slice(place + 1)) {
        const isApart = one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
        expect(isApart).toBe(true);
      }
    });
  });

  test("garrisons without names are apart, too", () => {
    const size = (64 * map.width) / 2400;
    const points = [...labelsOf(map, "en", nameless, nameless).provinces.values()].map(({ alone }) => alone);
    points.forEach((one, place) => {
      for (const other of points.slice(place + 1)) {
        const isApart = Math.abs(one.x - other.x) >= tokenWidth(1, size) || Math.abs(one.y - other.y) >= size * MARK;
        expect(isApart).toBe(true);
      }
    });
  });

  test("names stand in the middle of their shapes on a map without places", () => {
    const old = { ...map, labels: [], provinces: map.provinces.map((shape) => ({ ...shape, markX: 0, markY: 0 })) };
    const { provinces, seas, places } = labelsOf(old, "en", (code) => `The ${code} Land`, (code) => `Sea of ${code}`);
    expect(places).toBeUndefined();
    for (const { code, labelX: x, labelY: y } of map.provinces) {
      expect(provinces.get(code)).toMatchObject({ lines: [{ text: `The ${code} Land`, x, y }], marksX: x, alone: { x, y } });
    }
    expect(seas.map(({ lines }) => lines[0]?.text)).toEqual(map.seas.map(({ code }) => `Sea of ${code}`));
  });
});

describe.each(Object.entries(FILES))("on the map %s, at any size", (_, file) => {
  const map = fromJson(BoardMapSchema, file);
  const ground = new Ground(map.provinces);
  const codes = map.provinces.map(({ code }) => code);
  const sizes = [0.1, 0.16, 0.2, 0.26];
  /** Garrisons of one pawn, but for every third province, as large as they are in pixels on a map of this scale. */
  const garrisons = (scale: number): ReadonlyMap<string, Box> =>
    new Map(
      map.provinces.map(({ code, markX, markY }, place) => {
        const isEmpty = place % 3 === 0;
        const [width, height] = isEmpty ? [0, 0] : [tokenWidth(1, 10.5) / scale, (MARK * 10.5) / scale];
        return [code, around(onMap({ x: markX, y: markY }, width, height, map), width, height)];
      }),
    );

  test("each label point lies in its province", () => {
    for (const { code, labelX: x, labelY: y } of map.provinces) expect(ground.at({ x, y })).toBe(code);
    expect(ground.at({ x: -1, y: -1 })).toBe("");
  });

  test("garrisons with forts are moved off others, on the map and not onto other land", () => {
    const sum = (rows: ReadonlyMap<string, Box>): number => {
      const boxes = [...rows.values()];
      return boxes.reduce((area, one, at) => area + boxes.slice(at + 1).reduce((more, other) => more + shared(one, other), 0), 0);
    };
    for (const scale of sizes.slice(1)) {
      const height = (MARK * 10.5) / scale;
      const [before, middle] = [new Map<string, Box>(), ({ left, top, width, height }: Box) => ({ x: left + width / 2, y: top + height / 2 })];
      for (const [place, { code, markX, markY }] of map.provinces.entries()) {
        const width = tokenWidth(1, 10.5) / scale + (place % 2 ? height * 1.1 : 0);
        before.set(code, around(onMap({ x: markX, y: markY }, width, height, map), width, height));
      }
      const after = apart(before, map, ground);
      expect([...after.keys()]).toEqual(codes);
      if (sum(before) > 0) expect(sum(after)).toBeLessThan(0.5 * sum(before));
      for (const [code, box] of after) {
        const { width } = box;
        expect(onMap(middle(box), width, height, map)).toEqual(middle(box));
        if (box !== before.get(code)) expect([code, ""]).toContain(ground.at(middle(box)));
      }
    }
  });

  test("costs are on the map, and cover no garrison and no other cost", () => {
    for (const scale of sizes) {
      const rows = garrisons(scale);
      const side = 14 / scale;
      for (const some of [codes, codes.filter((_, place) => place % 2 === 0)]) {
        const placed = placedCosts(some, rows, [], side, map, ground);
        expect([...placed.keys()]).toEqual(some);
        const boxes = Array.from(placed.values(), (at) => around(at, side, side));
        for (const [at, box] of boxes.entries()) {
          expect(around(onMap({ x: box.left + side / 2, y: box.top + side / 2 }, side, side, map), side, side)).toEqual(box);
          const others = [...rows.values(), ...boxes.slice(at + 1)];
          if (scale > 0.15) expect(Math.max(...others.map((other) => shared(box, other)))).toBeLessThan(0.1 * side * side);
        }
      }
    }
  });

  test("costs lie in their own land, if it has room; the others are marked as beside it", () => {
    const counts = sizes.map((scale) => {
      const placed = placedCosts(codes, garrisons(scale), [], 14 / scale, map, ground);
      for (const [code, { outside, hasLine, ...point }] of placed) {
        expect(ground.outside(code, point, 14 / scale)).toBe(outside);
        if (outside > 0) expect(hasLine).toBe(true);
      }
      return Array.from(placed.values()).filter(({ outside }) => outside < 2).length / codes.length;
    });
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(counts[1]).toBeGreaterThan(0.6);
    expect(counts.at(-1)).toBeGreaterThan(0.9);
  });

  test("names that fit cover nothing, and more of them fit on a larger map", () => {
    const counts = sizes.map((scale) => {
      const rows = garrisons(scale);
      const names = map.labels[0]?.provinces.map(({ code, lines }) => ({ code, lines: lines.map(({ text }) => text) })) ?? [];
      const found = fittedNames(names, rows, 8.6 / scale, (text) => text.length * 0.5, map, ground);
      const boxes = found.flatMap((name) => name.boxes);
      for (const [at, box] of boxes.entries()) {
        for (const other of [...rows.values(), ...boxes.slice(at + 1)]) expect(shared(box, other)).toBe(0);
      }
      return found.length;
    });
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(counts.at(-1)).toBeGreaterThan(0.7 * codes.length);
  });
});
