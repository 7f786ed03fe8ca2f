import Type, { type Static } from 'typebox'
import { formatQuery } from '../../../http/csv.ts'
import { answer, nullable, oneOf, request, resource } from '../../../http/schema.ts'
import { fromStored } from '../material-kinds.ts'
import type { FilamentForecast as FilamentFigures } from './filament-forecast.ts'
import type { ItemWanted } from './forecast.queries.ts'
import { daysOfUse, type Forecast } from './forecast.service.ts'

export const ForecastQuery = request({
  by: Type.Optional(
    oneOf(['purchase', 'filament', 'printer'], {
      description:
        'Subject of each row of the CSV: something to buy, a material and colour, or a loaded spool. Default: purchase',
    }),
  ),
  format: formatQuery,
})

const grams = (description: string) => Type.Number({ minimum: 0, description: `${description}, in grams` })
const count = (description: string) => Type.Integer({ minimum: 0, description })

const FilamentRow = answer(
  {
    type: Type.String({ description: 'Type, such as PETG; empty for plates that take any' }),
    color: Type.String({ description: 'The colour, by name or as #RRGGBB; empty where any will do' }),
    any_color: Type.Boolean({ description: 'Whether the row is for plates that any colour of the type will do for' }),
    plates: count('Plates that are still to be printed, those that print now included'),
    plates_without_weight: count('Plates among them of unknown weight, which no other figure includes'),
    needed_grams: grams('Filament that these plates take'),
    on_hand_grams: grams(
      'Filament left on its spools; where any colour will do, the filament that the other rows leave',
    ),
    available_grams: grams('The same, less the margin of each spool'),
    to_buy_grams: grams('Filament that is missing'),
    daily_use_grams: grams(`Mean use per day over the last ${daysOfUse} days`),
    days_left: nullable(
      Type.Number({ description: 'Days that the available quantity lasts at that rate; null where nothing was taken' }),
    ),
  },
  { description: 'Requirement against stock of one material and colour' },
)

const SpoolRow = answer(
  {
    material_id: Type.String({ description: 'ID of the spool' }),
    slot: Type.Integer({ description: 'The slot that it is loaded in' }),
    type: Type.String({ description: 'Type, such as PETG' }),
    color: Type.String({ description: 'Name of the colour; empty for none' }),
    remaining_grams: grams('Filament left on the spool'),
    reserved_grams: grams('Filament of it for the running print'),
    queued_grams: grams('Filament of it for queued jobs that a person gave to this printer'),
    missing_grams: grams('Filament missing for both, the margin included'),
    runs_out_in: nullable(
      oneOf(['running_print', 'queued_jobs'], {
        description:
          'Work that uses it up: the print that runs, or the jobs that wait for this printer; null for neither',
      }),
    ),
  },
  { description: 'A loaded spool' },
)

export const MaterialForecast = resource('MaterialForecast', 'Material requirements against stock', {
  filament: Type.Array(FilamentRow, { description: 'Materials with the largest shortage first' }),
  printers: Type.Array(
    answer(
      {
        printer_id: Type.String({ description: 'ID of the printer' }),
        printer_name: Type.String({ description: 'Name of the printer' }),
        spools: Type.Array(SpoolRow, { description: 'Spools, the one loaded last first' }),
      },
      { description: 'A printer with its spools' },
    ),
    { description: 'Printers with a loaded spool' },
  ),
  items: Type.Array(
    answer(
      {
        material_id: Type.String({ description: 'ID of the component or packaging' }),
        kind: oneOf(['components', 'packaging'], { description: 'Kind of material' }),
        type: Type.String({ description: 'Its type' }),
        name: Type.String({ description: 'Its name' }),
        color: Type.String({ description: 'Name of the colour; empty for none' }),
        needed_units: count(
          'Pieces that open assembly tasks, or units to be shipped, take by their bills of materials',
        ),
        on_hand_units: count('Number in stock'),
        to_buy_units: count('Missing pieces'),
      },
      { description: 'A component or packaging that is needed' },
    ),
    { description: 'Components and packaging that are needed' },
  ),
})

const inGrams = (milligrams: number) => fromStored('filament', milligrams)

export function presentForecast({ filament, printers, items }: Forecast): Static<typeof MaterialForecast> {
  return {
    filament: filament.map(presentFilament),
    printers: printers.map(({ id, name, spools }) => ({
      printer_id: id,
      printer_name: name,
      spools: spools.map(({ spool, queued, missing, runs_out_in }) => ({
        material_id: spool.id,
        slot: spool.slot,
        type: spool.type,
        color: spool.color,
        remaining_grams: inGrams(spool.remaining),
        reserved_grams: inGrams(spool.reserved),
        queued_grams: inGrams(queued),
        missing_grams: inGrams(missing),
        runs_out_in,
      })),
    })),
    items: items.map(presentItem),
  }
}

function presentFilament(row: FilamentFigures): Static<typeof FilamentRow> {
  return {
    type: row.type,
    color: row.color,
    any_color: row.any_color,
    plates: row.plates,
    plates_without_weight: row.plates_without_weight,
    needed_grams: inGrams(row.needed),
    on_hand_grams: inGrams(row.on_hand),
    available_grams: inGrams(row.usable),
    to_buy_grams: inGrams(row.to_buy),
    daily_use_grams: inGrams(row.daily_use),
    days_left: row.daily_use > 0 ? Math.round((row.usable / row.daily_use) * 10) / 10 : null,
  }
}

function presentItem({ id, kind, type, name, color, needed, remaining }: ItemWanted) {
  return {
    material_id: id,
    kind: kind as 'components' | 'packaging',
    type,
    name,
    color,
    needed_units: needed,
    on_hand_units: remaining,
    to_buy_units: Math.max(0, needed - remaining),
  }
}

/** What must be bought, of whatever kind: a row for each thing of which some is missing. */
export function purchaseList({ filament, items }: Static<typeof MaterialForecast>) {
  return [
    ...filament.map((row) => ({
      kind: 'filament',
      type: row.type,
      color: row.color,
      name: '',
      needed: row.needed_grams,
      on_hand: row.on_hand_grams,
      to_buy: row.to_buy_grams,
      unit: 'g',
    })),
    ...items.map((row) => ({
      kind: row.kind as string,
      type: row.type,
      color: row.color,
      name: row.name,
      needed: row.needed_units,
      on_hand: row.on_hand_units,
      to_buy: row.to_buy_units,
      unit: 'pieces',
    })),
  ].filter(({ to_buy }) => to_buy > 0)
}
