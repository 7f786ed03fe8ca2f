import type { PlanGroup, PlannedJob, Production } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount, formatCount } from '../../../lib/format.ts'
import type { Tone } from '../../../ui/tone.ts'

const states: Record<PlanGroup['state'], { tone: Tone; word: string }> = {
  reserved: { tone: 'done', word: 'reserved' },
  to_assemble: { tone: 'working', word: 'to put together' },
  on_live_job: { tone: 'working', word: 'on jobs' },
  to_print: { tone: 'waiting', word: 'to print' },
  blocked: { tone: 'trouble', word: 'blocked' },
}

/** Units that are equally far: `3 to print`. */
export function presentGroup({ state, units }: Pick<PlanGroup, 'state' | 'units'>): { tone: Tone; word: string } {
  const { tone, word } = states[state]
  return { tone, word: `${formatCount(units)} ${word}` }
}

type Output = Pick<PlannedJob['outputs'][number], 'sku' | 'units'>

const unitsOf = (outputs: readonly Output[]) =>
  outputs.map(({ sku, units }) => `${formatCount(units)} × ${sku}`).join(', ')

/** `2 plates, each 4 × CLIP-RED; 1 × CLIP-RED more than needed` */
export function jobWords({ plates, outputs, surplus }: Pick<PlannedJob, 'plates' | 'outputs' | 'surplus'>): string {
  const made = `${formatAmount(plates, 'plate')}${plates > 1 ? ', each' : ':'} ${unitsOf(outputs)}`
  return surplus.length === 0 ? made : `${made}; ${unitsOf(surplus)} more than needed`
}

type Queued = Pick<Production, 'jobs' | 'assembly_tasks'>

export const isNothing = ({ jobs, assembly_tasks }: Queued) => jobs.length === 0 && assembly_tasks.length === 0

/** `2 jobs with 5 plates and 1 assembly task` */
export function queuedWords({ jobs, assembly_tasks: tasks }: Queued): string {
  const plates = jobs.reduce((sum, job) => sum + job.plates, 0)
  return [
    ...(jobs.length > 0 ? [`${formatAmount(jobs.length, 'job')} with ${formatAmount(plates, 'plate')}`] : []),
    ...(tasks.length > 0 ? [formatAmount(tasks.length, 'assembly task')] : []),
  ].join(' and ')
}
