const sentences: Record<string, string> = {
  'job.queued': 'Queued',
  'job.assigned': 'Given to a printer',
  'job.updated': 'Changed',
  'job.retried': 'Queued again',
  'job.restored': 'Put back into the queue',
  'job.cancelled': 'Cancelled',
  'job.cancel_requested': 'To be cancelled when its hub is back',
  'job.completed': 'Completed',
  'job.failed': 'Failed',
  'job.units_rejected': 'Units rejected',
  'job.rules_set_aside': 'Started although it does not fit',
  'job.other_slot_seen': 'The printer draws from another slot than it was told',
  'job.started': 'Started',
  'job.printing': 'Printing',
  'job.paused': 'Paused',
  'job.resumed': 'Resumed',
  'job.plate_done': 'A plate is done',
}

const fieldWords: Record<string, string> = {
  priority: 'priority',
  due_date: 'due date',
  queue_position: 'place in the queue',
  printer_id: 'printer',
  color: 'colour',
  any_color: 'colour',
  filament_type: 'filament',
  material_type: 'material',
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
  done: { tone: 'done', word: 'Done' },
  failed: { tone: 'trouble', word: 'Failed' },
  cancelled: { tone: 'away', word: 'Cancelled' },
  not_started: { tone: 'waiting', word: 'Did not start' },
  unknown: { tone: 'unknown', word: 'Needs a check' },
} as const

const phaseWords = {
  reserved: { tone: 'working', word: 'Reserved' },
  transferring: { tone: 'working', word: 'Sending the file' },
  starting: { tone: 'working', word: 'Starting' },
  confirmed: { tone: 'working', word: 'Printing' },
  finished: { tone: 'away', word: 'Over' },
} as const

/** How a try to print a plate stands, of a job of this status. */
export function presentAttempt(
  { phase, outcome }: { phase: keyof typeof phaseWords; outcome: keyof typeof outcomeWords | null },
  jobStatus: string | null,
) {
  if (outcome !== null) return outcomeWords[outcome]
  if (phase === 'confirmed' && jobStatus === 'paused') return { tone: 'waiting', word: 'Paused' } as const
  return phaseWords[phase]
}
