import Type, { type Static } from 'typebox'
import { idOf, nullable, oneOf, pageQuery, request, resource, timestamp } from '../../../http/schema.ts'
import { actionNames } from '../rules/actions.ts'
import type { ListedRun } from './runs.queries.ts'

const outcomes = ['ran', 'trial', 'counted', 'held'] as const
const results = ['done', 'refused', 'not_needed', 'not_done'] as const

export const RunsQuery = request({
  rule_id: Type.Optional(idOf('automationRule', 'Only runs of this rule')),
  outcome: Type.Optional(oneOf(outcomes, { description: 'Only runs of this outcome' })),
  ...pageQuery,
})

export const Run = resource('AutomationRun', 'Run of a rule for an event', {
  id: Type.String({ description: 'ID of the run', examples: ['arn_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  rule_id: Type.String({ description: 'The rule', examples: ['arl_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  rule_name: nullable(Type.String({ description: 'Its name; null when it was deleted', examples: ['Three failures'] })),
  event_id: Type.String({ description: 'The event', examples: ['evt_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  kind: Type.String({ description: 'Kind of the event', examples: ['print_failed'] }),
  title: Type.String({ description: 'Title of the event', examples: ['Print failed: Shelf bracket on Bench 1'] }),
  path: Type.String({
    description: 'The page of the dashboard about it',
    examples: ['/jobs/job_01kaxq3v7m2e8h5t9w4c6y0b1d'],
  }),
  outcome: oneOf(outcomes, {
    description:
      '`ran`: the actions were taken. `trial`: they would have been. `counted`: it must happen more often first. `held`: the rule acted as often in the last hour as it may',
  }),
  steps: Type.Array(
    Type.Object({
      do: oneOf(actionNames, { description: 'The action' }),
      result: oneOf(results, {
        description: '`not_needed`: it was so already. `not_done`: the rule is on trial',
      }),
      detail: Type.String({
        description: 'Reason of a refusal, or the thing that was made; often empty',
        examples: ['1 job queued'],
      }),
    }),
    { description: 'Result of each action' },
  ),
  happened_at: timestamp('Time of the event'),
  created_at: timestamp('Time at which the rule saw the event'),
})

export function presentRun(row: ListedRun): Static<typeof Run> {
  return {
    id: row.id,
    rule_id: row.rule_id,
    rule_name: row.rule_name,
    event_id: row.event_id,
    kind: row.kind,
    title: row.title,
    path: row.path,
    outcome: row.outcome,
    steps: row.steps,
    happened_at: row.happened_at.toISOString(),
    created_at: row.created_at.toISOString(),
  }
}
