import type { MaterialId, PrinterId } from '../../../kernel/ids.ts'
import { isSameModel } from '../../printers/models/printer-models.ts'
import { type Cost, costOf, noCost, type Subject, type UnknownInput, unknownCost } from './cost.ts'
import { type Micros, shareOf } from './money.ts'

/** What a machine takes for each hour of printing; null where that is not known here. */
interface MachineRates {
  machineHourPrice: Micros | null
  watts: number | null
}

/** The price of a spool, with what it is filled with. */
interface SpoolPrice {
  materialId: MaterialId
  type: string
  color: string
  price: Micros
}

/** What an account has said of its prices. */
export interface Rates extends MachineRates {
  currency: string
  energyPrice: Micros | null
  labourHourPrice: Micros | null
  /** Seconds of a person for a plate: to take it off, and to make the printer ready. */
  plateLabourSeconds: number | null
  /** Seconds of a person to put one unit together, where its product does not say it. */
  assemblyLabourSeconds: number | null
  /** Seconds of a person to pick and pack an order. */
  orderLabourSeconds: number | null
  models: readonly (MachineRates & { model: string })[]
  printers: ReadonlyMap<PrinterId, MachineRates>
  /** By type, as it is compared. */
  filamentPrices: ReadonlyMap<string, Micros>
  /** The latest first. */
  spoolPrices: readonly SpoolPrice[]
  materialPrices: ReadonlyMap<MaterialId, Micros>
  platformFees: ReadonlyMap<string, { sharePpm: number; fixed: Micros }>
}

const ppm = 1_000_000
const secondsPerHour = 3_600
const milligramsPerKilogram = 1_000_000
const wattsPerKilowatt = 1_000

/** A printer, or a model that files are sliced for. With neither, what holds for the whole account. */
export interface Machine {
  printer: { id: PrinterId; name: string } | null
  model: string | null
}

/** Texts of people that name the same type or colour. */
export const comparable = (text: string) => text.trim().toLowerCase()

/** Answers what the machine itself and its current cost while it prints. `file` is what is asked for a time that is not known. */
export function printingCost(rates: Rates, machine: Machine, seconds: number | null, file: Subject): Cost[] {
  if (seconds === null) return [unknownCost('machine', 'print_time', file), unknownCost('energy', 'print_time', file)]
  if (seconds === 0) return []
  const hourPrice = ofMachine(rates, machine, 'machineHourPrice')
  return [
    hourPrice === null
      ? unknownCost('machine', 'machine_hour_price', subjectOf(machine))
      : costOf('machine', shareOf(hourPrice, seconds, secondsPerHour)),
    energyCost(rates, machine, seconds),
  ]
}

function energyCost(rates: Rates, machine: Machine, seconds: number): Cost {
  const watts = ofMachine(rates, machine, 'watts')
  if (watts === 0) return noCost
  if (rates.energyPrice === null) return unknownCost('energy', 'energy_price')
  if (watts === null) return unknownCost('energy', 'watts', subjectOf(machine))
  const wattSeconds = BigInt(watts) * BigInt(seconds)
  return costOf('energy', shareOf(rates.energyPrice, wattSeconds, wattsPerKilowatt * secondsPerHour))
}

/** Rate of the printer, else of its model, else of the account. */
function ofMachine<Name extends keyof MachineRates>(
  rates: Rates,
  { printer, model }: Machine,
  name: Name,
): MachineRates[Name] {
  const own = printer === null ? undefined : rates.printers.get(printer.id)
  const ofModel = model === null ? undefined : rates.models.find((each) => isSameModel(each.model, model))
  return own?.[name] ?? ofModel?.[name] ?? rates[name]
}

function subjectOf({ printer, model }: Machine): Subject {
  if (printer !== null) return { kind: 'printer', id: printer.id, name: printer.name }
  if (model !== null && model !== '') return { kind: 'printer_model', id: model, name: model }
  return { kind: 'account', id: null, name: 'the account' }
}

/** A person's time. `missing` is what is asked for where it is not known. */
export function labourCost(rates: Rates, seconds: number | null, missing: UnknownInput): Cost {
  if (seconds === 0) return noCost
  if (rates.labourHourPrice === null) return unknownCost('labour', 'labour_hour_price')
  if (seconds === null) return unknownCost('labour', missing)
  return costOf('labour', shareOf(rates.labourHourPrice, seconds, secondsPerHour))
}

/** Filament of a spool at its own price, else at that of its type. */
export function spoolCost(
  rates: Rates,
  spool: { materialId: MaterialId; type: string; name: string },
  milligrams: number,
): Cost {
  if (milligrams === 0) return noCost
  const price = rates.materialPrices.get(spool.materialId) ?? rates.filamentPrices.get(comparable(spool.type))
  if (price === undefined) {
    return unknownCost('filament', 'filament_price', { kind: 'material', id: spool.materialId, name: spool.name })
  }
  return costOf('filament', shareOf(price, milligrams, milligramsPerKilogram))
}

/** Filament that is not on a spool yet: at the price of the spool of its type and colour that was priced last, else of its type. */
export function filamentCost(rates: Rates, type: string, color: string, milligrams: number): Cost {
  if (milligrams === 0) return noCost
  const spool = rates.spoolPrices.find(
    (each) => comparable(each.type) === comparable(type) && comparable(each.color) === comparable(color),
  )
  const price = spool?.price ?? rates.filamentPrices.get(comparable(type))
  if (price === undefined) {
    const name = type.trim() === '' ? 'filament of no type' : type.trim()
    return unknownCost('filament', 'filament_price', { kind: 'filament_type', id: type.trim(), name })
  }
  return costOf('filament', shareOf(price, milligrams, milligramsPerKilogram))
}

export type PricedKind = 'components' | 'packaging'

/** Pieces of a component or of packaging. */
export function materialCost(
  rates: Rates,
  { id, name, kind }: { id: MaterialId; name: string; kind: PricedKind },
  pieces: number,
): Cost {
  if (pieces === 0) return noCost
  const price = rates.materialPrices.get(id)
  if (price === undefined) return unknownCost(kind, 'material_price', { kind: 'material', id, name })
  return costOf(kind, price * BigInt(pieces))
}

/** Answers what the platform keeps of what a customer pays. An order that a person wrote down goes over none, unless a fee is set. */
export function platformFee(rates: Rates, platform: string, paid: Micros): Cost {
  const fee = rates.platformFees.get(platform)
  if (fee) return costOf('platform_fee', shareOf(paid, fee.sharePpm, ppm) + fee.fixed)
  if (platform === 'manual') return noCost
  return unknownCost('platform_fee', 'platform_fee', { kind: 'platform', id: platform, name: platform })
}
