import type { PlannedJob, Production } from './api/api-schema.generated.ts'
import { formatAmount, formatCount } from './format.ts'

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
