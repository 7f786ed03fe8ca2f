import { t } from '../../lib/i18n/t.ts'

const sentences: Record<string, string> = {
  'job.queued': t('Queued'),
  'job.assigned': t('Given to a printer'),
  'job.updated': t('Changed'),
  'job.retried': t('Queued again'),
  'job.restored': t('Put back into the queue'),
  'job.cancelled': t('Cancelled'),
  'job.cancel_requested': t('To be cancelled when its hub is back'),
  'job.completed': t('Completed'),
  'job.failed': t('Failed'),
  'job.units_rejected': t('Units rejected'),
  'job.rules_set_aside': t('Started although it does not fit'),
  'job.other_slot_seen': t('The printer draws from another slot than it was told'),
  'job.started': t('Started'),
  'job.paused': t('Paused'),
  'job.resumed': t('Resumed'),
  'job.plate_completed': t('A plate is done'),
  'job.not_started': t('A plate did not start; it waits again'),
  'job.fate_unknown': t('The outcome of a start is not known'),
  'job.second_copy': t('A plate is printed a second time'),
  'job.deleted': t('Deleted'),
}

const fieldWords: Record<string, string> = {
  priority: t('priority'),
  due_date: t('due date'),
  queue_position: t('place in the queue'),
  printer_id: t('printer'),
  color: t('colour'),
  any_color: t('colour'),
  filament_type: t('filament'),
  material_type: t('material'),
}

/** What happened to a job, for people. A type of a later service is shown as it is spelt. */
export function describeJobEvent({ type, data }: { type: string; data: unknown }): string {
  const words = sentences[type] ?? type.replace(/^job\./, '').replaceAll('_', ' ')
  if (type !== 'job.updated') return words
  const fields =
    typeof data === 'object' && data !== null && 'fields' in data && Array.isArray(data.fields) ? data.fields : []
  const named = [...new Set(fields.map((field) => fieldWords[String(field)] ?? String(field)))]
  return named.length === 0 ? words : `${words}: ${named.join(', ')}`
}

const outcomeWords = {
  done: { tone: 'done', word: t('Done') },
  failed: { tone: 'trouble', word: t('Failed') },
  cancelled: { tone: 'away', word: t('Cancelled') },
  not_started: { tone: 'waiting', word: t('Did not start') },
  unknown: { tone: 'unknown', word: t('Needs a check') },
} as const

const phaseWords = {
  reserved: { tone: 'working', word: t('Reserved') },
  transferring: { tone: 'working', word: t('Sending the file') },
  starting: { tone: 'working', word: t('Starting') },
  confirmed: { tone: 'working', word: t('Printing') },
  finished: { tone: 'away', word: t('Over') },
} as const

/** How a try to print a plate stands, of a job of this status. */
export function presentAttempt(
  { phase, outcome }: { phase: keyof typeof phaseWords; outcome: keyof typeof outcomeWords | null },
  jobStatus: string | null,
) {
  if (outcome !== null) return outcomeWords[outcome]
  if (phase === 'confirmed' && jobStatus === 'paused') return { tone: 'waiting', word: t('Paused') } as const
  return phaseWords[phase]
}
