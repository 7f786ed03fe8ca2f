import type { PlannedJob, Production } from '../api/api-schema.generated.ts'
import { formatCount } from '../format.ts'
import { t } from '../i18n/t.ts'
import { allOf } from './all-of.ts'

type Output = Pick<PlannedJob['outputs'][number], 'sku' | 'units'>

const unitsOf = (outputs: readonly Output[]) =>
  outputs.map(({ sku, units }) => `${formatCount(units)} × ${sku}`).join(', ')

/** `2 plates, each 4 × CLIP-RED; 1 × CLIP-RED more than needed` */
export function jobWords({ plates, outputs, surplus }: Pick<PlannedJob, 'plates' | 'outputs' | 'surplus'>): string {
  const made = `${t('{plates, plural, one {# plate} other {# plates}}', { plates })}${plates > 1 ? t(', each') : ':'} ${unitsOf(outputs)}`
  return surplus.length === 0 ? made : t('{made}; {unitsOf} more than needed', { made, unitsOf: unitsOf(surplus) })
}

type Queued = Pick<Production, 'jobs' | 'assembly_tasks'>

export const isNothing = ({ jobs, assembly_tasks }: Queued) => jobs.length === 0 && assembly_tasks.length === 0

/** `2 jobs with 5 plates and 1 assembly task` */
export function queuedWords({ jobs, assembly_tasks: tasks }: Queued): string {
  const plates = jobs.reduce((sum, job) => sum + job.plates, 0)
  return allOf([
    ...(jobs.length > 0
      ? [
          t('{jobs, plural, one {# job} other {# jobs}} with {plates, plural, one {# plate} other {# plates}}', {
            jobs: jobs.length,
            plates,
          }),
        ]
      : []),
    ...(tasks.length > 0
      ? [t('{tasks, plural, one {# assembly task} other {# assembly tasks}}', { tasks: tasks.length })]
      : []),
  ])
}
