import Type, { type Static } from 'typebox'
import { answer, nullable, oneOf, resource, timestamp } from '../../../http/schema.ts'
import { remedyKinds, ruleNames } from '../../matching/rules.ts'
import type { BoardPlace, RemedyGroup } from './board.service.ts'

const maybeText = (description: string) => nullable(Type.String({ description }))

export const BoardPrinter = resource('BoardPrinter', 'Current job, next job and slots of a printer', {
  id: Type.String({ description: 'ID of the printer' }),
  job: nullable(
    answer(
      {
        id: Type.String({ description: 'ID of the job that holds it' }),
        product_name: maybeText('Product that is printed; null when that is not known'),
        sku_name: maybeText('Colour and filament of the SKU'),
        file_name: Type.String({ description: 'Name of the file' }),
        print_file_id: Type.String({ description: 'ID of the file' }),
        picture_of: nullable(
          timestamp(
            'Time of the last change of the file, where GET /files/{id}/thumbnail has a picture of it; else null',
          ),
        ),
        units: Type.Integer({ description: 'Units that the plate yields' }),
        plate_number: Type.Integer({ description: 'The plate that is printed' }),
        plates_total: Type.Integer({ description: 'Plates of the job' }),
      },
      { description: 'The job that holds it; null for none' },
    ),
  ),
  next_job: nullable(
    answer(
      {
        id: Type.String({ description: 'ID of the job' }),
        name: Type.String({ description: 'Its product, else its file' }),
      },
      { description: 'The first in the queue that was given to it or fits; another printer may be faster to take it' },
    ),
  ),
  slots: Type.Array(
    answer(
      {
        name: Type.String({
          description: 'Name of the slot, as people find it at the printer; empty for the only one',
        }),
        type: Type.String({ description: 'Loaded filament; empty when not known' }),
        color: Type.String({ description: 'Name of its colour; empty when not known' }),
        color_hex: Type.String({ description: 'Its colour as #RRGGBB; empty when not known', examples: ['#F26B21'] }),
        is_empty: Type.Boolean({ description: 'Whether the slot is empty' }),
        is_active: Type.Boolean({ description: 'Whether the printer draws from it' }),
      },
      { description: 'A place for filament' },
    ),
    { description: 'Slots that it draws filament from; at least one' },
  ),
})

export const WaitingGroup = resource('WaitingGroup', 'Jobs that one thing keeps from idle printers', {
  rule: oneOf(ruleNames, { description: 'The rule that is in the way' }),
  remedy: oneOf(remedyKinds, { description: 'Remedy' }),
  jobs: Type.Integer({ description: 'Jobs that could start then' }),
  printers: Type.Array(
    answer(
      { id: Type.String({ description: 'ID of the printer' }), name: Type.String({ description: 'Its name' }) },
      { description: 'A printer that is idle' },
    ),
    { description: 'Idle printers that nothing else keeps from one of the jobs, by name' },
  ),
  nozzle: nullable(Type.Number({ description: 'The nozzle that all of the jobs need, in mm; null where they differ' })),
})

export function presentBoardPlace({ printer, printing, picturedAt, next }: BoardPlace): Static<typeof BoardPrinter> {
  return {
    id: printer.id,
    job: printing
      ? {
          id: printing.job_id,
          product_name: printing.product_name,
          sku_name: printing.sku_name,
          file_name: printing.file_name,
          print_file_id: printing.print_file_id,
          picture_of: picturedAt?.toISOString() ?? null,
          units: printing.quantity_per_print,
          plate_number: printing.plate_number,
          plates_total: printing.plates_total,
        }
      : null,
    next_job: next ? { id: next.id, name: next.product_name ?? next.file_name } : null,
    slots: printer.places.map(({ name, type, color, color_hex, is_empty, is_active }) => ({
      ...{ name, type, color, color_hex, is_empty, is_active },
    })),
  }
}

export const presentWaitingGroup = ({ nozzle, ...group }: RemedyGroup): Static<typeof WaitingGroup> => ({
  ...group,
  nozzle: nozzle ?? null,
})
