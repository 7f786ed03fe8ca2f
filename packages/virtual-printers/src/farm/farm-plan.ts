import { type Draw, drawAbout } from './draw.ts'
import { type Filament, filaments, kindsOfPrinters, type PrinterKind } from './farm-stock.ts'

/** A day of a farm, drawn by lot: what it has, what is ordered, and who works there. Times in seconds from its beginning. */
export interface FarmPlan {
  seed: number
  seconds: number
  hubs: number
  printers: PlannedPrinter[]
  files: PlannedFile[]
  orders: PlannedOrder[]
  shifts: Shift[]
}

export interface PlannedPrinter extends PrinterKind {
  name: string
  /** 0 to `hubs` - 1. */
  hub: number
  loaded: Filament
  /** On the spool at the beginning. */
  grams: number
}

/** One plate, as it is sliced for one kind of printer. */
export interface PlannedFile extends PrinterKind {
  name: string
  filament: Filament
  /** True when customers insist on the colour. */
  isColorWanted: boolean
  printSeconds: number
  grams: number
  heightMm: number
  unitsPerPlate: number
}

export type OrderPriority = 'low' | 'normal' | 'high' | 'urgent'

export interface PlannedOrder {
  name: string
  arrivesAt: number
  dueAt: number
  priority: OrderPriority
  lines: PlannedLine[]
}

/** One job. */
export interface PlannedLine {
  name: string
  file: PlannedFile
  plates: number
}

/** People who are there from `from` to `to`. */
export interface Shift {
  from: number
  to: number
  people: number
}

export interface FarmSize {
  seed: number
  printers: number
  hours: number
  /** Work that is ordered, as a share of what the printers could do if none of them ever waited. Default: 0.7. */
  load?: number
}

/** The day begins when the first people come. */
const startHour = 6
/** Hours of the day at which shifts begin and end. No one is there at night. */
const shiftHours = [
  [6, 14],
  [14, 22],
] as const
const printersPerPerson = 50
const printersPerHub = 100
const spoolGrams = 1_000

/** How much more is ordered in each hour of the day than at night. */
const rushes = [1, 1, 1, 1, 1, 1, 3, 5, 8, 15, 15, 8, 6, 6, 6, 6, 8, 15, 15, 12, 8, 5, 3, 1]

/** Orders that came in before the day begins, as a share of all. */
const backlogShare = 0.25

/** The same size and seed give the same farm, on any machine. */
export function drawFarm({ seed, printers: count, hours, load = 0.7 }: FarmSize): FarmPlan {
  const printers = drawPrinters(drawAbout(seed, 'printers'), count)
  const files = drawFiles(drawAbout(seed, 'files'), printers)
  const seconds = hours * 3_600
  return {
    seed,
    seconds,
    hubs: Math.ceil(count / printersPerHub),
    printers,
    files,
    orders: drawOrders(drawAbout(seed, 'orders'), files, seconds, count * seconds * load),
    shifts: shiftsOf(seconds, Math.max(1, Math.round(count / printersPerPerson))),
  }
}

function drawPrinters(draw: Draw, count: number): PlannedPrinter[] {
  return Array.from({ length: count }, (_, index) => ({
    ...draw.pickWeighted(kindsOfPrinters, ({ share }) => share).kind,
    name: `P${String(index + 1).padStart(3, '0')}`,
    hub: Math.floor(index / printersPerHub),
    loaded: draw.pickWeighted(filaments, ({ share }) => share).filament,
    grams: draw.integer(spoolGrams * 0.2, spoolGrams),
  }))
}

/** Sliced for what the farm has. What is popular today is not quite what the printers were loaded for. */
function drawFiles(draw: Draw, printers: readonly PlannedPrinter[]): PlannedFile[] {
  const fashion = new Map(filaments.map(({ filament, share }) => [filament, share * draw.between(0.4, 1.8)]))
  return Array.from({ length: Math.max(6, Math.min(80, printers.length)) }, (_, index) => {
    const { model, nozzle } = draw.pick(printers)
    const minutes = Math.exp(draw.between(Math.log(25), Math.log(480)))
    return {
      name: `part-${String(index + 1).padStart(2, '0')}`,
      model,
      nozzle,
      filament: draw.pickWeighted([...fashion.keys()], (filament) => fashion.get(filament) ?? 0),
      isColorWanted: draw.chance(0.85),
      printSeconds: Math.round(minutes * 60),
      grams: Math.round(minutes * draw.between(0.3, 0.6) * 10) / 10,
      heightMm: draw.integer(5, 150),
      unitsPerPlate: draw.pick([1, 1, 2, 4, 6]),
    }
  })
}

function drawOrders(draw: Draw, files: readonly PlannedFile[], seconds: number, workSeconds: number): PlannedOrder[] {
  const orders: Omit<PlannedOrder, 'name'>[] = []
  let ordered = 0
  for (let jobs = 0; ordered < workSeconds; ) {
    const lines = Array.from({ length: draw.integer(1, 3) }, () => ({
      name: `job-${String(++jobs).padStart(4, '0')}`,
      file: draw.pick(files),
      plates: draw.pick([1, 1, 1, 2, 2, 3, 4]),
    }))
    const longest = Math.max(...lines.map(({ file, plates }) => file.printSeconds * plates))
    ordered += lines.reduce((sum, { file, plates }) => sum + file.printSeconds * plates, 0)
    const arrivesAt = draw.chance(backlogShare) ? 0 : drawArrival(draw, seconds)
    const [fewest, most] = draw.pickWeighted(
      [
        [4, 8],
        [10, 16],
        [24, 48],
      ] as const,
      ([hours]) => ({ 4: 20, 10: 40, 24: 40 })[hours],
    )
    // No one promises what no printer can do.
    const dueAt = arrivesAt + Math.max(draw.integer(fewest, most) * 3_600, Math.round(longest * 1.5))
    orders.push({ arrivesAt, dueAt, priority: drawPriority(draw), lines })
  }
  return orders
    .sort((a, b) => a.arrivesAt - b.arrivesAt)
    .map((order, index) => ({ name: `order-${String(index + 1).padStart(4, '0')}`, ...order }))
}

function drawArrival(draw: Draw, seconds: number): number {
  const hours = Array.from({ length: Math.ceil(seconds / 3_600) }, (_, hour) => hour)
  const hour = draw.pickWeighted(hours, (each) => rushes[(startHour + each) % 24] ?? 0)
  return Math.min(seconds - 1, Math.floor((hour + draw.fraction()) * 3_600))
}

function drawPriority(draw: Draw): OrderPriority {
  const shares = { urgent: 3, high: 12, normal: 75, low: 10 } as const
  return draw.pickWeighted(['urgent', 'high', 'normal', 'low'] as const, (priority) => shares[priority])
}

function shiftsOf(seconds: number, people: number): Shift[] {
  const days = Array.from({ length: Math.ceil((seconds / 3_600 + startHour) / 24) }, (_, day) => day)
  return days
    .flatMap((day) =>
      shiftHours.map(([from, to]) => ({
        from: (day * 24 + from - startHour) * 3_600,
        to: (day * 24 + to - startHour) * 3_600,
        people,
      })),
    )
    .filter(({ from }) => from < seconds)
}
