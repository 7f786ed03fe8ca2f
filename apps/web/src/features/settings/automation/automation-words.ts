import type { AutomationRule, AutomationRun } from '../../../lib/api/api-schema.generated.ts'
import { formatMinutes } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { Tone } from '../../../ui/tone.ts'
import { kindWords } from '../notifications/notification-words.ts'

type Action = AutomationRule['actions'][number]

export const actionWords: Record<Action['do'], string> = {
  send_message: t('Send a message'),
  call_webhook: t('Call a webhook'),
  create_task: t('Make a task'),
  start_maintenance: t('Take the printer out of service'),
  set_order_priority: t('Set the priority of the order'),
  produce: t('Queue missing production'),
}

interface State {
  tone: Tone
  word: string
}

const modes: Record<AutomationRule['mode'], State> = {
  on: { tone: 'working', word: t('On') },
  trial: { tone: 'resting', word: t('On trial') },
  off: { tone: 'waiting', word: t('Off') },
}
export const modeState = (mode: AutomationRule['mode']): State => modes[mode]

export const outcomeWords: Record<AutomationRun['outcome'], string> = {
  ran: t('Acted'),
  trial: t('On trial'),
  counted: t('Counted'),
  held: t('Held back'),
}
const outcomeTones: Record<AutomationRun['outcome'], Tone> = {
  ran: 'done',
  trial: 'resting',
  counted: 'waiting',
  held: 'trouble',
}

/** What came of a run; one of which an action was refused is trouble. */
export function runState({ outcome, steps }: Pick<AutomationRun, 'outcome' | 'steps'>): State {
  const isRefused = steps.some(({ result }) => result === 'refused')
  return isRefused
    ? { tone: 'trouble', word: t('Refused in part') }
    : { tone: outcomeTones[outcome], word: outcomeWords[outcome] }
}

/** When a rule acts, in one line: `3 × Print failed in 24h`. */
export function whenWords({
  kinds,
  times,
  within_minutes: minutes,
}: Pick<AutomationRule, 'kinds' | 'times' | 'within_minutes'>): string {
  const what = kinds.map((kind) => kindWords[kind] ?? kind).join(', ')
  return times === 1 ? what : t('{times} × {what} in {minutes}', { times, what, minutes: formatMinutes(minutes) })
}

/** What came of one action, in one line. */
export function stepWords({ do: name, result, detail }: AutomationRun['steps'][number]): string {
  const word = actionWords[name]
  if (result === 'not_done') return t('{word}: not done, on trial', { word })
  return detail === '' ? word : `${word}: ${detail}`
}
