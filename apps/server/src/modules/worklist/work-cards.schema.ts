import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../db/page-bounds.ts'
import { answer, idOf, nullable, oneOf, pageQuery, request, resource, text } from '../../http/schema.ts'
import { taskTypes } from './task-assignment.ts'
import type { WorkCardRow } from './work-cards.queries.ts'
import { presentTask, WorklistTask } from './worklist.schema.ts'

const sources = [
  'person',
  'plate',
  'unknown_fate',
  'printer_error',
  'hub_silent',
  'print_hours',
  'assembly',
  'health',
  'out_of_reach',
  'second_copy',
  'filament',
  'product',
  'pick',
  'pack',
  'backup',
  'certificate',
] as const satisfies readonly WorkCardRow['source'][]

export const WorkCardsQuery = request({
  state: oneOf(['open', 'done_today'], {
    default: 'open',
    description: 'What is pending or in progress, or what was completed today by the clock of the account',
  }),
  assignee: Type.Optional(
    oneOf(['me', 'nobody'], { description: 'Only tasks assigned to this person, or unassigned tasks' }),
  ),
  task_type: Type.Optional(oneOf(taskTypes, { description: 'Only tasks of this type' })),
  printer_id: Type.Optional(idOf('printer', 'Only tasks about this printer')),
  location: Type.Optional(text(0, 200, 'Only tasks about printers at exactly this place')),
  ...pageQuery,
})
export type WorkCardFilter = Omit<PageFilter<Static<typeof WorkCardsQuery>>, 'state'>

const maybeText = (description: string, ...examples: string[]) =>
  nullable(Type.String({ description, ...(examples.length > 0 && { examples }) }))

export const WorkCard = resource('WorkCard', 'A worklist task with all that a person needs who does it', {
  ...WorklistTask.properties,
  id: Type.String({ description: 'ID of the task', examples: ['wlt_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  source: oneOf(sources, { description: 'Rule that created the task; person: created by hand' }),
  assigned_to: maybeText('User ID of who has it; null: no one'),
  assignee_name: maybeText('Name of who has it', 'A. Member'),
  filament_key: maybeText(
    'Type and colour of a change of filament that the queue asks for; tasks with the same key are one errand',
    'pla|black',
  ),
  order_id: maybeText('The order that it takes off the shelves, or packs', 'ord_01kaxq3v7m2e8h5t9w4c6y0b1d'),
  assembly_id: maybeText('The assembly task that is done with it', 'asm_01kaxq3v7m2e8h5t9w4c6y0b1d'),
  wishes: Type.Array(
    answer({
      order_id: Type.String({ description: 'The order' }),
      order_number: Type.String({ description: 'Number of the order' }),
      product_name: Type.String({ description: 'Name of the product' }),
      units: Type.Integer({ description: 'Units of it that the task is about' }),
      personalisation: Type.Array(
        answer({
          name: Type.String({ description: 'Name of the personalisation' }),
          value: Type.String({ description: 'Message of the customer', 'x-pii': true }),
        }),
        { description: 'Personalisation of the units' },
      ),
    }),
    {
      description:
        'Personalisation of the units that lie on its plate, are picked, packed or put together; at most 50 lines of orders',
    },
  ),
  printer: nullable(
    answer(
      {
        id: Type.String({ description: 'ID of the printer' }),
        name: Type.String({ description: 'Its name' }),
        model: Type.String({ description: 'Its model' }),
        location: Type.String({ description: 'Location; empty when unknown' }),
        plate_state: oneOf(['clear', 'occupied', 'unknown'], { description: 'State of its plate' }),
      },
      { description: 'The printer that it is about' },
    ),
  ),
  job: nullable(
    answer(
      {
        id: Type.String({ description: 'ID of the job' }),
        product_name: maybeText('Product that is printed'),
        file_name: Type.String({ description: 'Name of the file' }),
        color: Type.String({ description: 'Colour; empty for any' }),
        filament_type: Type.String({ description: 'Filament; empty for any' }),
        units_per_plate: Type.Integer({ description: 'Units that one plate holds' }),
        plate_number: nullable(Type.Integer({ description: 'The plate it is about; null when that is not known' })),
        plates_total: Type.Integer({ description: 'Plates of the job' }),
        is_fate_unknown: Type.Boolean({ description: 'Whether a person must say what became of the plate' }),
        was_seen_printing: Type.Boolean({ description: 'Whether it was seen printing, so that it did begin' }),
      },
      { description: 'The job whose print it is about' },
    ),
  ),
})

export function presentCard(row: WorkCardRow): Static<typeof WorkCard> {
  return {
    ...presentTask(row),
    source: row.source,
    assigned_to: row.assigned_to,
    assignee_name: row.assignee_name,
    filament_key: row.filament_key,
    order_id: row.source === 'pick' || row.source === 'pack' ? row.subject_id : null,
    assembly_id: row.source === 'assembly' ? row.subject_id : null,
    wishes: row.wishes,
    printer: printerOf(row),
    job: jobOf(row),
  }
}

// The columns of one joined row are there together or not at all; where they may be missing the words say "nothing known".

function printerOf(row: WorkCardRow): Static<typeof WorkCard>['printer'] {
  if (row.printer_id === null) return null
  return {
    id: row.printer_id,
    name: row.printer_name ?? '',
    model: row.printer_model ?? '',
    location: row.printer_location ?? '',
    plate_state: row.plate_state ?? 'unknown',
  }
}

function jobOf(row: WorkCardRow): Static<typeof WorkCard>['job'] {
  if (row.job_id === null) return null
  return {
    id: row.job_id,
    product_name: row.product_name,
    file_name: row.file_name ?? '',
    color: row.color ?? '',
    filament_type: row.filament_type ?? '',
    units_per_plate: row.job_units ?? 1,
    plate_number: row.plate_number,
    plates_total: row.plates_total ?? 1,
    is_fate_unknown: row.source === 'unknown_fate' && row.fate === 'unknown',
    was_seen_printing: row.attempt_phase === 'confirmed',
  }
}
