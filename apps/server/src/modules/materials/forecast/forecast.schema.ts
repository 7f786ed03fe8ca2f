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
        'What a row of the CSV is for: something to buy, a material and colour, or a loaded spool. Default: purchase',
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
    plates_without_weight: count('Those of them of which it is not known what they take: they are in no other figure'),
    needed_grams: grams('What these plates take'),
    on_hand_grams: grams('What is left on the spools of it; where any colour will do, what the other rows leave'),
    available_grams: grams('The same, less the margin of each spool'),
    to_buy_grams: grams('What is missing'),
    daily_use_grams: grams(`What was taken of it on a day, the mean of the last ${daysOfUse} days`),
    days_left: nullable(
      Type.Number({ description: 'How long what is available lasts at that rate; null where nothing was taken' }),
    ),
  },
  { description: 'Needed against what is there, of one material and colour' },
)

const SpoolRow = answer(
  {
    material_id: Type.String({ description: 'ID of the spool' }),
    slot: Type.Integer({ description: 'The slot that it is loaded in' }),
    type: Type.String({ description: 'Type, such as PETG' }),
    color: Type.String({ description: 'Name of the colour; empty for none' }),
    remaining_grams: grams('What is left on it'),
    reserved_grams: grams('What the print that runs takes of it'),
    queued_grams: grams('What queued jobs that a person gave to this printer take of it'),
    missing_grams: grams('What is missing for both, the margin included'),
    runs_out_in: nullable(
      oneOf(['running_print', 'queued_jobs'], {
        description:
          'When it will be used up: by the print that runs, or by the jobs that wait for this printer; null for neither',
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
        spools: Type.Array(SpoolRow, { description: 'The one that was loaded last first' }),
      },
      { description: 'A printer with its spools' },
    ),
    { description: 'Printers with a loaded spool' },
  ),
  items: Type.Array(
    answer(
      {
        material_id: Type.String({ description: 'ID of the component or packaging' }),
        kind: oneOf(['components', 'packaging'], { description: 'What it is' }),
        type: Type.String({ description: 'Its type' }),
        name: Type.String({ description: 'Its name' }),
        color: Type.String({ description: 'Name of the colour; empty for none' }),
        needed_units: count(
          'What open assembly tasks, or units that are to be shipped, take by their bills of materials',
        ),
        on_hand_units: count('How many there are'),
        to_buy_units: count('How many are missing'),
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
