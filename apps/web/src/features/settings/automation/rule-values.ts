import type { BodyOf } from '../../../lib/api/api-routes.ts'
import type { AutomationRule } from '../../../lib/api/api-schema.generated.ts'

type Body = BodyOf<'POST /automation-rules'>
type Action = AutomationRule['actions'][number]

/** An action with a value for each field that a form may show. */
export interface ActionValues {
  do: Action['do']
  channel_ids: string[]
  webhook_id: string | null
  text: string
  priority: NonNullable<Action['priority']>
}

export const actionValues = (action: Action): ActionValues => ({
  do: action.do,
  channel_ids: action.channel_ids ?? [],
  webhook_id: action.webhook_id ?? null,
  text: action.text ?? '',
  priority: action.priority ?? 'high',
})

/** What the service takes with an action of this kind; the rest stays in the form. */
function actionBody({ do: name, channel_ids, webhook_id, text, priority }: ActionValues): Action {
  const said = text.trim() === '' ? {} : { text: text.trim() }
  if (name === 'send_message') return { do: name, channel_ids, ...said }
  if (name === 'call_webhook') return { do: name, webhook_id: webhook_id ?? '' }
  if (name === 'create_task') return { do: name, ...said }
  if (name === 'set_order_priority') return { do: name, priority }
  return { do: name }
}

/** A new rule is tried first. */
export const freshRule = {
  name: '',
  mode: 'trial' as AutomationRule['mode'],
  kinds: ['print_failed'] as string[],
  least_severity: 'low',
  locations: [] as string[],
  printer_ids: [] as string[],
  product_ids: [] as string[],
  times: 1 as number | string,
  within_minutes: 1_440 as number | string,
  most_per_hour: 20 as number | string,
  actions: [actionValues({ do: 'create_task' })],
}
export type RuleValues = typeof freshRule

export function valuesOf(rule: AutomationRule): RuleValues {
  const { id: _id, created_at: _made, updated_at: _changed, ...values } = rule
  return { ...values, actions: values.actions.map(actionValues) }
}

export function bodyOf(values: RuleValues): Body {
  return {
    ...values,
    // The selects offer what the service takes.
    kinds: values.kinds as Body['kinds'],
    least_severity: values.least_severity as NonNullable<Body['least_severity']>,
    times: Number(values.times),
    within_minutes: Number(values.within_minutes),
    most_per_hour: Number(values.most_per_hour),
    actions: values.actions.map(actionBody),
  }
}
