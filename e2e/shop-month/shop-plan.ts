import { type Draw, drawAbout } from '@printyard/virtual-printers/farm/draw'

/** A month of a shop, drawn by lot: what it sells, how that is made, and what is ordered. Times in seconds from its beginning. */
export interface ShopPlan {
  seed: number
  seconds: number
  printers: { name: string; model: string }[]
  skus: PlannedSku[]
  recipes: PlannedRecipe[]
  kits: PlannedKit[]
  /** Listings of the shop whose code is none of ours. */
  listings: PlannedListing[]
  /** By their arrival. */
  orders: PlannedOrder[]
}

/** A SKU that is printed. */
export interface PlannedSku {
  code: string
  /** Its printed pieces wait for assembly. */
  isAssembled: boolean
  /** On the shelf on the first day. */
  opening: number
}

/** One plate of a file for one model of printers. */
export interface PlannedRecipe {
  name: string
  model: string
  printSeconds: number
  /** What a plate yields; the first is its main output. */
  outputs: PlannedUnits[]
}

export interface PlannedUnits {
  code: string
  units: number
}

/** A SKU that is put together, from printed ones or from other kits. */
export interface PlannedKit {
  code: string
  parts: PlannedUnits[]
  screws: number
}

interface PlannedListing {
  sellerCode: string
  code: string
  packSize: number
}

export interface PlannedOrder {
  number: string
  arrivesAt: number
  dueAt: number
  /** Shopify's export tells neither a priority nor what a customer wants on a piece. */
  from: 'api' | 'shopify'
  priority: 'normal' | 'high' | 'urgent'
  lines: PlannedLine[]
  /** When the customer cancels, if it has not left by then. */
  cancelAt: number | null
  /** What comes back of the first line, so long after it was shipped. */
  comesBack: { afterSeconds: number; disposition: 'restock' | 'scrap' | 'remake' } | null
}

export interface PlannedLine {
  /** What the shop calls it. */
  sellerCode: string
  code: string
  packSize: number
  quantity: number
  engraving: string | null
}

export interface ShopSize {
  seed: number
  orders: number
  days: number
  printers: number
}

export const daySeconds = 86_400
const hourSeconds = 3_600
const models = ['MK4S', 'P1S'] as const
const printedSkus = 34
const singleKits = 4
const doubleKits = 2
/** Printed SKUs by which mixed plates come: pairs of neighbours, which no other mixed plate has. */
const mixedPairs = 4
const batches = [1, 4, 10] as const

/** The same size and seed give the same shop and the same month, on any machine. */
export function drawShop({ seed, orders: count, days, printers: printerCount }: ShopSize): ShopPlan {
  const skus = drawSkus(drawAbout(seed, 'skus'))
  const kits = drawKits(drawAbout(seed, 'kits'), skus)
  const listings = drawListings(drawAbout(seed, 'listings'), skus)
  const seconds = days * daySeconds
  const orders = Array.from({ length: count }, (_, index) =>
    drawOrder(drawAbout(seed, `order ${index}`), index, { seconds, skus, kits, listings }),
  )
  return {
    seed,
    seconds,
    printers: Array.from({ length: printerCount }, (_, index) => ({
      name: `P${String(index + 1).padStart(2, '0')}`,
      model: index % 5 < 3 ? models[0] : models[1],
    })),
    skus,
    recipes: drawRecipes(drawAbout(seed, 'recipes'), skus),
    kits,
    listings,
    orders: orders.sort((a, b) => a.arrivesAt - b.arrivesAt),
  }
}

function drawSkus(draw: Draw): PlannedSku[] {
  return Array.from({ length: printedSkus }, (_, index) => ({
    code: `PART-${String(index + 1).padStart(2, '0')}`,
    isAssembled: index % 11 === 10,
    opening: draw.chance(0.5) ? draw.integer(1, 8) : 0,
  }))
}

/** Every SKU one at a time; most in batches, too; for one model of printers or for both. */
function drawRecipes(draw: Draw, skus: readonly PlannedSku[]): PlannedRecipe[] {
  const recipes: PlannedRecipe[] = []
  for (const [index, { code }] of skus.entries()) {
    const pieceSeconds = Math.round(draw.between(0.5, 1.5) * hourSeconds)
    // Without a batch of its own a SKU would only come from mixed plates, with as many of the other.
    const isMixed = index < 2 * mixedPairs
    const sizes = batches.filter((size) => size === 1 || isMixed || draw.chance(0.7))
    const fitting = draw.chance(0.6) ? models : [draw.pick(models)]
    for (const units of sizes) {
      // Heating and travel are shared by what lies on one plate.
      const printSeconds = Math.round(600 + pieceSeconds * units ** 0.85)
      for (const model of fitting) {
        recipes.push({ name: `${code}-x${units}-${model}`, model, printSeconds, outputs: [{ code, units }] })
      }
    }
    const next = skus[index + 1]
    if (index % 2 === 0 && isMixed && next) {
      recipes.push({
        name: `${code}-mixed`,
        model: fitting[0] ?? models[0],
        printSeconds: Math.round(600 + pieceSeconds * 6 ** 0.85),
        outputs: [
          { code, units: 3 },
          { code: next.code, units: 3 },
        ],
      })
    }
  }
  return recipes
}

/** Four kits of printed parts, and two that have one of these kits in them. */
function drawKits(draw: Draw, skus: readonly PlannedSku[]): PlannedKit[] {
  const partOf = (index: number) => ({ code: skus[(index * 3) % skus.length]?.code ?? '', units: draw.integer(1, 2) })
  const single = Array.from({ length: singleKits }, (_, index) => ({
    code: `KIT-${index + 1}`,
    parts: [partOf(3 * index), partOf(3 * index + 1), partOf(3 * index + 2)].slice(0, draw.integer(2, 3)),
    screws: draw.integer(2, 6),
  }))
  const double = Array.from({ length: doubleKits }, (_, index) => ({
    code: `KIT-${singleKits + index + 1}`,
    parts: [{ code: single[index]?.code ?? '', units: 1 }, partOf(12 + index)],
    screws: 2,
  }))
  return [...single, ...double]
}

function drawListings(draw: Draw, skus: readonly PlannedSku[]): PlannedListing[] {
  return Array.from({ length: 5 }, (_, index) => ({
    sellerCode: `SHOP-LISTING-${index + 1}`,
    code: draw.pick(skus).code,
    packSize: draw.pick([1, 1, 2, 4]),
  }))
}

/** In the waking hours, more in the evening. */
const ordersByHour = [1, 1, 1, 1, 1, 2, 4, 6, 8, 8, 7, 7, 8, 8, 7, 7, 8, 10, 12, 14, 14, 10, 6, 3]

function drawOrder(
  draw: Draw,
  index: number,
  { seconds, skus, kits, listings }: Pick<ShopPlan, 'seconds' | 'skus' | 'kits' | 'listings'>,
): PlannedOrder {
  const days = Math.floor(seconds / daySeconds)
  const hour = draw.pickWeighted([...ordersByHour.keys()], (at) => ordersByHour[at] ?? 1)
  const arrivesAt = draw.integer(0, days - 1) * daySeconds + hour * hourSeconds + draw.integer(0, hourSeconds - 1)
  const from = draw.chance(0.4) ? 'shopify' : 'api'
  const lines = Array.from({ length: draw.pick([1, 1, 1, 2, 2, 3]) }, () =>
    drawLine(draw, { from, skus, kits, listings }),
  )
  const priority = from === 'api' && draw.chance(0.1) ? draw.pick(['high', 'urgent'] as const) : 'normal'
  const isCancelled = draw.chance(0.05)
  return {
    number: `W-${1_001 + index}`,
    arrivesAt,
    dueAt: arrivesAt + draw.integer(3, 6) * daySeconds,
    from,
    priority,
    lines,
    cancelAt: isCancelled ? arrivesAt + draw.integer(1, 36) * hourSeconds : null,
    comesBack:
      !isCancelled && draw.chance(0.05)
        ? { afterSeconds: 2 * daySeconds, disposition: draw.pick(['restock', 'scrap', 'remake'] as const) }
        : null,
  }
}

function drawLine(
  draw: Draw,
  { from, skus, kits, listings }: Pick<PlannedOrder, 'from'> & Pick<ShopPlan, 'skus' | 'kits' | 'listings'>,
): PlannedLine {
  const quantity = draw.pick([1, 1, 1, 2, 2, 3, 5])
  if (from === 'shopify' && draw.chance(0.12)) {
    return { ...draw.pick(listings), quantity: Math.min(2, quantity), engraving: null }
  }
  const isKit = draw.chance(0.2)
  // What sells best stands first.
  const rank = Math.floor(draw.fraction() ** 1.6 * skus.length)
  const code = isKit ? draw.pick(kits).code : (skus[rank]?.code ?? '')
  const isEngraved = from === 'api' && draw.chance(0.07)
  return {
    sellerCode: code,
    code,
    packSize: 1,
    quantity,
    engraving: isEngraved ? `Name ${draw.integer(1, 999)}` : null,
  }
}

/** The printed units that so many of a SKU are made of, kits taken apart. */
export function explode({ kits }: Pick<ShopPlan, 'kits'>, { code, units }: PlannedUnits): PlannedUnits[] {
  const kit = kits.find((each) => each.code === code)
  if (!kit) return [{ code, units }]
  return kit.parts.flatMap((part) => explode({ kits }, { code: part.code, units: part.units * units }))
}
