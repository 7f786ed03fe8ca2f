import { connectionProblems } from '@printyard/protocol/connection-problems'
import Type from 'typebox'
import { answer, nullable, oneOf, pageQuery, request, resource, timestamp } from '../../../http/schema.ts'
import { printerStatuses } from '../effective-status.ts'

/** A farm of usual size in one page: what looks at all printers at once asks for all of them again and again. */
const mostPerPage = 500

export const LivePrintersQuery = request({
  ...pageQuery,
  limit: Type.Integer({ minimum: 1, maximum: mostPerPage, default: 100, description: 'Most rows to answer' }),
})

const live = (what: string) => ({ description: `${what}; null when not known or the hub is offline` })
const celsius = (what: string) => nullable(Type.Number(live(`${what} in °C`)))

/** What a printer did when it was last in reach, by its own hub. */
export const LastKnown = answer(
  {
    status: oneOf(printerStatuses, { description: 'Last reported status' }),
    progress: nullable(
      Type.Number({ description: 'Progress of the plate that was printing, 0 to 100; null: not known' }),
    ),
    remaining_time_minutes: nullable(Type.Integer({ description: 'Minutes that were left then; null: not known' })),
    file_name: nullable(Type.String({ description: 'File of the print that ran; null for none' })),
    reported_at: timestamp('Time of the report'),
  },
  { description: 'Last report of its hub, for a printer that is out of reach; else null' },
)

export const LivePrinter = resource('LivePrinter', 'A printer with its current status', {
  id: Type.String({ description: 'ID of the printer' }),
  name: Type.String({ description: 'Name, unique in the account' }),
  model: Type.String({ description: 'Model as entered' }),
  location: Type.String({ description: 'Location; empty when not given' }),
  hub_id: nullable(Type.String({ description: 'Hub that runs it; null for none' })),
  hub_online: Type.Boolean({ description: 'Whether its hub is connected; without it, the live fields are null' }),
  is_active: Type.Boolean({ description: 'False when it is out of use' }),
  in_maintenance: Type.Boolean({ description: 'Whether a person took it out of service' }),
  status: oneOf(printerStatuses, { description: 'Status of the printer, as in the list of printers' }),
  status_reason: nullable(
    Type.String({
      ...live('Reason why it is paused, in error or offline, in a sentence'),
      examples: ['The filament has run out.'],
    }),
  ),
  health_problem: nullable(
    Type.String({
      description: 'Its longest-lasting problem, in a sentence; null when there is none',
      examples: [connectionProblems.credentials_wrong.message],
    }),
  ),
  plate_state: oneOf(['clear', 'occupied', 'unknown'], { description: 'Nothing starts on a plate that is not clear' }),
  progress: nullable(Type.Number(live('Progress of the plate that is printing, 0 to 100'))),
  remaining_time_minutes: nullable(Type.Integer(live('Minutes until the plate is done'))),
  layer_num: nullable(Type.Integer(live('Layer being printed'))),
  total_layers: nullable(Type.Integer(live('Layers of the plate'))),
  nozzle_temp: celsius('Nozzle temperature'),
  bed_temp: celsius('Bed temperature'),
  chamber_temp: celsius('Chamber temperature'),
  target_nozzle_temp: celsius('Nozzle temperature aimed at'),
  target_bed_temp: celsius('Bed temperature aimed at'),
  light_on: nullable(Type.Boolean(live('Whether its light is on'))),
  last_known: nullable(LastKnown),
  file_name: nullable(Type.String(live('File of the print that runs, of this service or not'))),
  is_foreign: Type.Boolean({ description: 'Whether the print that runs belongs to no job of this service' }),
  current_color: nullable(Type.String({ description: 'Name of the loaded colour; null when not known' })),
  current_color_hex: nullable(Type.String({ description: 'Loaded colour as #RRGGBB; null when not known' })),
  current_filament_type: nullable(Type.String({ description: 'Loaded material; null when not known' })),
  loaded_filament_grams: nullable(Type.Number({ description: 'Filament left on the loaded spool; null: not known' })),
})
