/** The highest temperatures in °C to which the service will order a heater. */
export interface HeaterLimits {
  nozzle: number
  bed: number
  chamber: number
}

/**
 * For models that are not known, and for heaters of known ones of which the maker gives no figure. A limit says how hot,
 * not whether there is such a heater: that is known to the hub's driver.
 */
const defaultLimits: HeaterLimits = { nozzle: 300, bed: 120, chamber: 65 }

interface KnownModel extends Partial<HeaterLimits> {
  maker: string
  name: string
  /** Other spellings, and the codes by which slicers and announcements name it. */
  also?: readonly string[]
  /** How high it can print, in mm. */
  height?: number
  /** Of beds that carry a print against a toolhead standing behind it: width and depth that can be printed on, in mm. */
  pushes?: { width: number; depth: number }
}

/** Where a print can be pushed off, in mm. */
export interface PushingBed {
  width: number
  depth: number
  height: number
}

// Limits and heights are the makers' published ones. The codes of Bambu Lab and Creality are those which their printers announce.
const knownModels: readonly KnownModel[] = [
  { maker: 'bambu', name: 'X1 Carbon', also: ['X1C', 'BL-P001'], height: 256 },
  { maker: 'bambu', name: 'X1', also: ['BL-P002'], height: 256 },
  { maker: 'bambu', name: 'X1E', also: ['C13'], height: 256, nozzle: 320, chamber: 60 },
  { maker: 'bambu', name: 'P1P', also: ['C11'], height: 256, bed: 100 },
  { maker: 'bambu', name: 'P1S', also: ['C12'], height: 256, bed: 100 },
  { maker: 'bambu', name: 'P2S', also: ['N7'], height: 256, bed: 110 },
  { maker: 'bambu', name: 'A1 mini', also: ['N1'], height: 180, bed: 80 },
  { maker: 'bambu', name: 'A1', also: ['N2S'], height: 256, bed: 100 },
  { maker: 'bambu', name: 'A2L', also: ['N9'] },
  { maker: 'bambu', name: 'X2D', also: ['N6'] },
  { maker: 'bambu', name: 'H2D', also: ['O1D'], height: 325, nozzle: 350 },
  { maker: 'bambu', name: 'H2D Pro', also: ['O1E', 'O2D'], nozzle: 350 },
  { maker: 'bambu', name: 'H2C', also: ['O1C', 'O1C2'], nozzle: 350 },
  { maker: 'bambu', name: 'H2S', also: ['O1S'], height: 340, nozzle: 350 },
  { maker: 'prusa', name: 'MK4S', height: 220, pushes: { width: 250, depth: 210 }, nozzle: 290 },
  { maker: 'prusa', name: 'MK4', also: ['MK4IS'], height: 220, pushes: { width: 250, depth: 210 }, nozzle: 290 },
  { maker: 'prusa', name: 'MK3.9', nozzle: 290 },
  { maker: 'prusa', name: 'MK3.5', height: 210, pushes: { width: 250, depth: 210 } },
  { maker: 'prusa', name: 'MK3S', also: ['MK3S+'], height: 210 },
  { maker: 'prusa', name: 'MINI', also: ['MINI+', 'MINIIS'], height: 180, nozzle: 280, bed: 100 },
  { maker: 'prusa', name: 'XL', also: ['XLIS'], height: 360, nozzle: 290 },
  { maker: 'prusa', name: 'CORE One', height: 270, nozzle: 290, chamber: 55 },
  {
    maker: 'creality',
    name: 'Ender-3',
    also: ['Ender-3 Pro', 'Ender-3 V2'],
    height: 250,
    nozzle: 255,
    bed: 110,
    pushes: { width: 220, depth: 220 },
  },
  { maker: 'creality', name: 'Ender-3 V3', height: 250, bed: 110 },
  { maker: 'creality', name: 'Ender-3 V3 SE', height: 250, pushes: { width: 220, depth: 220 }, nozzle: 260, bed: 100 },
  { maker: 'creality', name: 'Ender-3 V3 KE', height: 240, bed: 100 },
  { maker: 'creality', name: 'K1', height: 250, bed: 100 },
  { maker: 'creality', name: 'K1C', height: 250, bed: 100 },
  { maker: 'creality', name: 'K1 Max', height: 300 },
  { maker: 'creality', name: 'K2 Plus', also: ['F008'], height: 350, nozzle: 350, chamber: 60 },
  { maker: 'elegoo', name: 'Centauri Carbon', height: 256, nozzle: 320, bed: 110 },
  { maker: 'elegoo', name: 'Neptune 4', height: 265, bed: 110 },
  { maker: 'elegoo', name: 'Neptune 4 Pro', height: 265, bed: 110 },
  { maker: 'voron', name: '2.4', also: ['V2.4'] },
]

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
 * Whether two texts name the same model: `Prusa MK4S`, `MK4S` and `Original Prusa MK4S` do, and `Bambu Lab P1S`, `P1S`
 * and the code `C12`. Two makers' models of one name are different. A text that names nothing is the same as nothing.
 */
export function isSameModel(a: string, b: string): boolean {
  const [first, second] = [readName(a), readName(b)]
  if (first.key === '' || first.key !== second.key) return false
  return first.maker === undefined || second.maker === undefined || first.maker === second.maker
}

/** How hot the heaters of a model may be made. */
export function limitsOf(model: string): HeaterLimits {
  const known = findKnown(splitName(model))
  return {
    nozzle: known?.nozzle ?? defaultLimits.nozzle,
    bed: known?.bed ?? defaultLimits.bed,
    chamber: known?.chamber ?? defaultLimits.chamber,
  }
}

/** How high a model can print, in mm; null for models that are not known. */
export function buildHeightOf(model: string): number | null {
  return findKnown(splitName(model))?.height ?? null
}

/**
 * The bed of a model that moves its bed from front to back on a frame that bears a push, and whose slicers end a print with
 * the motor that knows the height still powered. Undefined for all others: beds that only sink, arms held at one side, and
 * firmware of which it is not documented how it waits for a bed to cool.
 */
export function pushingBedOf(model: string): PushingBed | undefined {
  const known = findKnown(splitName(model))
  return known?.pushes && known.height !== undefined ? { ...known.pushes, height: known.height } : undefined
}
