import { type KnownModel, knownModels, makers } from './known-models.ts'

/** The highest temperatures in °C to which the service will command a heater. */
export interface HeaterLimits {
  nozzle: number
  bed: number
  chamber: number
}

/**
 * For models that are not known, and for heaters of known ones of which no figure could be read. A limit says how hot, not
 * whether there is such a heater: that is known to the hub's driver.
 */
const defaultLimits: HeaterLimits = { nozzle: 300, bed: 120, chamber: 65 }

/** Area in which a print can be pushed off, in mm. */
export interface PushingBed {
  width: number
  depth: number
  height: number
}

/** Words that stand before the name of a model and say who makes it; null for words that only go with those. */
const makerWords: Record<string, string | null> = {
  original: 'prusa',
  prusa: 'prusa',
  research: null,
  i3: null,
  bambu: 'bambu',
  bambulab: 'bambu',
  lab: null,
  creality: 'creality',
  elegoo: 'elegoo',
  voron: 'voron',
  anycubic: 'anycubic',
  artillery: 'artillery',
  flashforge: 'flashforge',
  qidi: 'qidi',
  snapmaker: 'snapmaker',
  sovol: 'sovol',
}

interface ModelName {
  maker: string | undefined
  /** The name without its maker, case, spaces and signs. */
  key: string
}

const nozzleSuffix = /[\s(]*(?:hf\s*)?\d[.,]\d+\s*(?:mm)?\s*nozzle\)?\s*$/

function splitName(text: string): ModelName {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(nozzleSuffix, '')
    .replaceAll('+', ' plus ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  // The hardware in a box with accessories is the same.
  if (words.length > 1 && words.at(-1) === 'combo') words.pop()
  let maker: string | undefined
  while (words.length > 1) {
    const named = Object.hasOwn(makerWords, words[0] as string) ? makerWords[words[0] as string] : undefined
    if (named === undefined || (named === null && maker === undefined)) break
    maker ??= named ?? undefined
    words.shift()
  }
  return { maker, key: words.join('') }
}

const byKey = new Map<string, KnownModel>(
  knownModels.flatMap((model) => [model.name, ...(model.also ?? [])].map((name) => [splitName(name).key, model])),
)

function findKnown(name: ModelName): KnownModel | undefined {
  const known = byKey.get(name.key)
  return known && (name.maker === undefined || name.maker === known.maker) ? known : undefined
}

function readName(text: string): ModelName {
  const name = splitName(text)
  const known = findKnown(name)
  return known ? { maker: known.maker, key: splitName(known.name).key } : name
}

/**
 * True when two texts name the same model: `Prusa MK4S`, `MK4S` and `Original Prusa MK4S` do, and `Bambu Lab P1S`, `P1S`
 * and the code `C12`. Two makers' models of one name are different. A text that names nothing is the same as nothing.
 */
export function isSameModel(a: string, b: string): boolean {
  const [first, second] = [readName(a), readName(b)]
  if (first.key === '' || first.key !== second.key) return false
  return first.maker === undefined || second.maker === undefined || first.maker === second.maker
}

/** Every model of which something is known, under its full name, by that name. */
export const catalogue: readonly { fullName: string; model: KnownModel }[] = knownModels
  .map((model) => ({ fullName: `${makers[model.maker]} ${model.name}`, model }))
  .sort((a, b) => (a.fullName < b.fullName ? -1 : 1))

/** Answers how hot the heaters of a model may be made. */
export function limitsOf(model: string): HeaterLimits {
  return limitsOfKnown(findKnown(splitName(model)))
}

/** The same of a model of the catalogue; the cautious ones for none. */
export function limitsOfKnown(known: KnownModel | undefined): HeaterLimits {
  return {
    nozzle: known?.nozzle ?? defaultLimits.nozzle,
    bed: known?.bed ?? defaultLimits.bed,
    chamber: known?.chamber ?? defaultLimits.chamber,
  }
}

/** The width, depth and height that a model can print, in mm; null for models that are not known. */
export function buildVolumeOf(model: string): readonly [number, number, number] | null {
  return findKnown(splitName(model))?.volume ?? null
}

/**
 * The bed of a model that moves its bed from front to back on a frame that bears a push, and whose slicers end a print with
 * the motor that knows the height still powered. Undefined for all others: beds that only sink, arms held at one side, and
 * firmware of which it is not documented how it waits for a bed to cool.
 */
export function pushingBedOf(model: string): PushingBed | undefined {
  const known = findKnown(splitName(model))
  if (!known?.canPush || !known.volume) return undefined
  const [width, depth, height] = known.volume
  return { width, depth, height }
}
