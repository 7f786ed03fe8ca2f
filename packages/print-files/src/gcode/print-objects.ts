import type { PrintObject } from '../print-file.ts'
import { readNumber } from '../settings/lists.ts'

const maxPoints = 1_000

/** The object of a comment such as `; printing object box.stl id:0 copy 0`; copies count apart, as printers skip them apart. */
export function objectFromLabel(line: string): PrintObject | undefined {
  const found = /^; printing object (.{1,200}?)(?: id:(\d+))?(?: copy (\d+))?$/.exec(line)
  if (found === null) return undefined
  const [, name, id, copy] = found
  return { id: `${id ?? name}${copy === undefined ? '' : `:${copy}`}`, name: name! }
}

/** The object of Klipper's `EXCLUDE_OBJECT_DEFINE NAME=… POLYGON=[[x,y],…]`. */
export function objectFromDefinition(line: string): PrintObject | undefined {
  const name = /\bNAME=(?:"([^"]{1,200})"|'([^']{1,200})'|(\S{1,200}))/i.exec(line)?.slice(1).find(Boolean)
  if (name === undefined) return undefined
  const polygon = readPolygon(/\bPOLYGON=(\[[-+\d.,[\]\seE]*\])/i.exec(line)?.[1])
  return polygon === undefined ? { id: name, name } : { id: name, name, polygon }
}

/** The objects of PrusaSlicer's `objects_info`: `{"objects":[{"name":…,"polygon":[[x,y],…]},…]}`. */
export function objectsFromInfo(json: string, maxObjects: number): PrintObject[] {
  const info = parseJson(json)
  if (typeof info !== 'object' || info === null || !('objects' in info) || !Array.isArray(info.objects)) return []
  return info.objects.slice(0, maxObjects).flatMap((object: unknown, index): PrintObject[] => {
    if (typeof object !== 'object' || object === null) return []
    const name = 'name' in object && typeof object.name === 'string' ? object.name : `object ${index}`
    const polygon = 'polygon' in object ? checkPolygon(object.polygon) : undefined
    return [polygon === undefined ? { id: String(index), name } : { id: String(index), name, polygon }]
  })
}

function readPolygon(text: string | undefined): PrintObject['polygon'] {
  return text === undefined ? undefined : checkPolygon(parseJson(text))
}

function checkPolygon(points: unknown): PrintObject['polygon'] {
  if (!Array.isArray(points) || points.length < 3 || points.length > maxPoints) return undefined
  const polygon: [number, number][] = []
  for (const point of points as unknown[]) {
    if (!Array.isArray(point)) return undefined
    const [x, y] = [readNumber(String(point[0])), readNumber(String(point[1]))]
    if (Number.isNaN(x) || Number.isNaN(y)) return undefined
    polygon.push([x, y])
  }
  return polygon
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // An outline that cannot be read is an outline that is not there; the object keeps its name.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
