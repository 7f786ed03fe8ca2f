import { type HeaterSpec, heatTauFor } from './thermal.ts'

/** What a simulated printer of a model can do. Limits in °C. */
export interface PrinterModel {
  name: string
  firmware: string
  nozzle: HeaterSpec
  bed: HeaterSpec
  /** Null when the model has no chamber sensor; `maxTemp` 0 when it can measure but not heat. */
  chamber: HeaterSpec | null
}

interface ModelRow {
  name: string
  firmware: string
  nozzleMaxTemp: number
  /** From 20 °C to 220 °C. */
  nozzleHeatSeconds: number
  bedMaxTemp: number
  /** From 20 °C to 60 °C. */
  bedHeatSeconds: number
  /** Left out: no sensor. 0: a sensor only. */
  chamberMaxTemp?: number
}

// Limits are what such machines are commonly sold with, not looked up one by one. The heating times are guesses from what such machines usually take, and the
// firmware versions are only there to have the right shape.
const rows: readonly ModelRow[] = [
  { name: 'MK4S', firmware: '6.2.1', nozzleMaxTemp: 290, nozzleHeatSeconds: 70, bedMaxTemp: 120, bedHeatSeconds: 130 },
  { name: 'MK3S', firmware: '3.14.1', nozzleMaxTemp: 300, nozzleHeatSeconds: 85, bedMaxTemp: 120, bedHeatSeconds: 150 },
  { name: 'MINI', firmware: '6.2.1', nozzleMaxTemp: 280, nozzleHeatSeconds: 80, bedMaxTemp: 100, bedHeatSeconds: 140 },
  { name: 'XL', firmware: '6.2.1', nozzleMaxTemp: 290, nozzleHeatSeconds: 70, bedMaxTemp: 120, bedHeatSeconds: 170 },
  {
    name: 'CORE One',
    firmware: '6.2.1',
    nozzleMaxTemp: 290,
    nozzleHeatSeconds: 65,
    bedMaxTemp: 120,
    bedHeatSeconds: 130,
    chamberMaxTemp: 55,
  },
  {
    name: 'Ender-3 V3',
    firmware: '1.2.0.10',
    nozzleMaxTemp: 300,
    nozzleHeatSeconds: 75,
    bedMaxTemp: 110,
    bedHeatSeconds: 160,
  },
  {
    name: 'K1 Max',
    firmware: '1.3.3.46',
    nozzleMaxTemp: 300,
    nozzleHeatSeconds: 60,
    bedMaxTemp: 120,
    bedHeatSeconds: 140,
    chamberMaxTemp: 0,
  },
  {
    name: 'K2 Plus',
    firmware: '1.1.2.10',
    nozzleMaxTemp: 350,
    nozzleHeatSeconds: 60,
    bedMaxTemp: 120,
    bedHeatSeconds: 150,
    chamberMaxTemp: 60,
  },
  {
    name: 'P1S',
    firmware: '01.08.00.00',
    nozzleMaxTemp: 300,
    nozzleHeatSeconds: 62,
    bedMaxTemp: 100,
    bedHeatSeconds: 125,
    chamberMaxTemp: 0,
  },
  {
    name: 'X1C',
    firmware: '01.09.00.00',
    nozzleMaxTemp: 300,
    nozzleHeatSeconds: 62,
    bedMaxTemp: 120,
    bedHeatSeconds: 115,
    chamberMaxTemp: 0,
  },
  {
    name: 'X1E',
    firmware: '01.02.00.00',
    nozzleMaxTemp: 320,
    nozzleHeatSeconds: 62,
    bedMaxTemp: 120,
    bedHeatSeconds: 115,
    chamberMaxTemp: 60,
  },
  {
    name: 'A1',
    firmware: '01.05.00.00',
    nozzleMaxTemp: 300,
    nozzleHeatSeconds: 65,
    bedMaxTemp: 100,
    bedHeatSeconds: 130,
  },
  {
    name: 'A1 mini',
    firmware: '01.05.00.00',
    nozzleMaxTemp: 300,
    nozzleHeatSeconds: 65,
    bedMaxTemp: 80,
    bedHeatSeconds: 110,
  },
  {
    name: 'H2D',
    firmware: '01.02.00.00',
    nozzleMaxTemp: 350,
    nozzleHeatSeconds: 60,
    bedMaxTemp: 120,
    bedHeatSeconds: 140,
    chamberMaxTemp: 65,
  },
  {
    name: 'Voron 2.4',
    firmware: 'v0.12.0-439',
    nozzleMaxTemp: 300,
    nozzleHeatSeconds: 70,
    bedMaxTemp: 120,
    bedHeatSeconds: 180,
    chamberMaxTemp: 0,
  },
  {
    name: 'Centauri Carbon',
    firmware: '1.1.29',
    nozzleMaxTemp: 320,
    nozzleHeatSeconds: 65,
    bedMaxTemp: 110,
    bedHeatSeconds: 130,
    chamberMaxTemp: 0,
  },
]

const genericRow: ModelRow = {
  name: 'Generic',
  firmware: '1.0.0',
  nozzleMaxTemp: 300,
  nozzleHeatSeconds: 75,
  bedMaxTemp: 110,
  bedHeatSeconds: 150,
}

const modelsByKey = new Map(rows.map((row) => [keyOf(row.name), toModel(row)]))
const genericModel = toModel(genericRow)
// People write the same model in many ways; these are not part of the names above.
const aliases: readonly [RegExp, string][] = [
  [/x1carbon/, 'x1c'],
  [/mk3s\+?$/, 'mk3s'],
]

/** The model of this name, also between its maker's and a package's ("Prusa MK4S", "P1S Combo"); else the generic one. */
export function modelNamed(name: string): PrinterModel {
  let key = keyOf(name)
  for (const [pattern, replacement] of aliases) key = key.replace(pattern, replacement)
  let best: string | null = null
  for (const known of modelsByKey.keys()) {
    if ((key.endsWith(known) || key.startsWith(known)) && (best === null || known.length > best.length)) best = known
  }
  return (best !== null && modelsByKey.get(best)) || genericModel
}

function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9+]/g, '')
}

function toModel(row: ModelRow): PrinterModel {
  const nozzleCeiling = row.nozzleMaxTemp + 150
  const bedCeiling = row.bedMaxTemp + 40
  return {
    name: row.name,
    firmware: row.firmware,
    nozzle: {
      maxTemp: row.nozzleMaxTemp,
      ceilingTemp: nozzleCeiling,
      heatTauSeconds: heatTauFor(nozzleCeiling, 20, 220, row.nozzleHeatSeconds),
      coolTauSeconds: 180,
    },
    bed: {
      maxTemp: row.bedMaxTemp,
      ceilingTemp: bedCeiling,
      heatTauSeconds: heatTauFor(bedCeiling, 20, 60, row.bedHeatSeconds),
      coolTauSeconds: 900,
    },
    chamber:
      row.chamberMaxTemp === undefined
        ? null
        : {
            maxTemp: row.chamberMaxTemp,
            ceilingTemp: row.chamberMaxTemp + 30,
            heatTauSeconds: 900,
            coolTauSeconds: 1200,
          },
  }
}
