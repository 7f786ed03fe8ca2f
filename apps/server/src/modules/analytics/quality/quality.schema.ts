import Type, { type Static } from 'typebox'
import { answer, nullable, oneOf, request, resource, timestamp } from '../../../http/schema.ts'
import { failureTypes } from '../../failures/failure-type.ts'
import { platforms } from '../../orders/listings/platforms.ts'
import { count, dateRange, daysQuery, percent, rowsBy } from '../reports/report-parts.ts'

export const YieldQuery = request({ ...daysQuery, by: rowsBy(['file', 'printer', 'material', 'reason']) })
export const PromisesQuery = request({ ...daysQuery, by: rowsBy(['week', 'platform', 'order']) })

const yielded = {
  plates_done: count('Plates that were printed well'),
  plates_failed: count('Plates that failed'),
  plates_stopped: count('Plates that a person stopped'),
  units_good: Type.Integer({ description: 'Units of good plates, less those that were found bad' }),
  units_rejected: count('Units of good plates that were found bad; they count with the last plate of their job'),
  plate_yield: nullable(percent('Good plates among those that were printed well or failed; null without any')),
  unit_yield: nullable(percent('Good units among those of good plates; null without any')),
}

/** What cost units: a kind of failure, or where units were found bad. */
export const lossReasons = [...failureTypes, 'rejected_on_plate', 'rejected_in_assembly'] as const

export const YieldReport = resource('YieldReport', 'Yield of the plates that were printed', {
  date_range: dateRange,
  summary: answer(yielded, { description: 'All plates together' }),
  by_file: Type.Array(
    answer(
      {
        print_file_id: Type.String({ description: 'The file' }),
        file_name: Type.String({ description: 'Its name' }),
        ...yielded,
      },
      { description: 'One file' },
    ),
    { description: 'The hundred files with the most plates' },
  ),
  by_printer: Type.Array(
    answer(
      {
        printer_id: Type.String({ description: 'The printer' }),
        printer_name: Type.String({ description: 'Its name' }),
        ...yielded,
      },
      { description: 'One printer' },
    ),
    { description: 'The hundred printers with the most plates' },
  ),
  by_material: Type.Array(
    answer(
      { material: Type.String({ description: 'Filament type; unknown for none', examples: ['PETG'] }), ...yielded },
      { description: 'One material' },
    ),
    { description: 'Materials, that of the most plates first' },
  ),
  reasons: Type.Array(
    answer(
      {
        reason: oneOf(lossReasons, {
          description: 'Failure of a plate, or the place where units of a good one were found bad',
        }),
        count: count('Plates, or assembly tasks'),
        units_lost: count('Units that it cost'),
        share: percent('Share of all units that were lost'),
        cumulative_share: percent('The same with all reasons that cost more'),
      },
      { description: 'One reason' },
    ),
    { description: 'Reasons, those that cost the most units first' },
  ),
})

const days = (description: string) => nullable(Type.Number({ minimum: 0, description: `${description}, in days` }))
const promised = {
  orders: count('Orders that were promised to leave in these days'),
  within: count('Orders that left in time'),
  late: count('Orders that left later, or have not left though their day is over'),
  late_open: count('Late orders that have not left yet'),
  changed: count('Orders whose promise was made again'),
  within_percent: nullable(percent('Share of the orders that left in time; null without any')),
  late_days_average: days('Average delay of the late ones'),
  late_days_worst: days('Largest delay'),
}
const platform = oneOf(platforms, { description: 'Platform of the orders' })

export const PromisesReport = resource('PromisesReport', 'Kept and missed promises of orders, by the first promise', {
  date_range: dateRange,
  summary: answer(promised, { description: 'All orders together' }),
  by_week: Type.Array(
    answer(
      {
        week: Type.String({ format: 'date', description: 'Monday of the week', examples: ['2026-11-16'] }),
        ...promised,
      },
      { description: 'One week' },
    ),
    { description: 'Weeks for which anything was promised, in order' },
  ),
  by_platform: Type.Array(answer({ platform, ...promised }, { description: 'One platform' }), {
    description: 'Platforms, that of the most orders first',
  }),
  late_orders: Type.Array(
    answer(
      {
        order_id: Type.String({ description: 'The order' }),
        order_number: Type.String({ description: 'Its number' }),
        platform,
        promised_at: timestamp('Promised time to leave'),
        shipped_at: nullable(timestamp('Time at which it left; null: not yet')),
        late_days: Type.Number({ minimum: 0, description: 'Delay with which it left, or that it has so far, in days' }),
      },
      { description: 'One order' },
    ),
    { description: 'The hundred latest ones' },
  ),
})

export type Yield = Static<typeof YieldReport>
export type Promises = Static<typeof PromisesReport>
