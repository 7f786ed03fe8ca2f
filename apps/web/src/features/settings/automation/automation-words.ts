import type { AutomationRule, AutomationRun } from '../../../lib/api/api-schema.generated.ts'
import { formatMinutes } from '../../../lib/format.ts'
import type { Tone } from '../../../ui/tone.ts'
import { kindWords } from '../notifications/notification-words.ts'

type Action = AutomationRule['actions'][number]

export const actionWords: Record<Action['do'], string> = {
  send_message: 'Send a message',
  call_webhook: 'Call a webhook',
  create_task: 'Make a task',
  start_maintenance: 'Take the printer out of service',
  set_order_priority: 'Set the priority of the order',
  produce: 'Produce what lacks',
}

interface State {
  tone: Tone
  word: string
}

const modes: Record<AutomationRule['mode'], State> = {
  on: { tone: 'working', word: 'On' },
  trial: { tone: 'resting', word: 'On trial' },
  off: { tone: 'waiting', word: 'Off' },
}
export const modeState = (mode: AutomationRule['mode']): State => modes[mode]

export const outcomeWords: Record<AutomationRun['outcome'], string> = {
  ran: 'Acted',
  trial: 'On trial',
  counted: 'Counted',
  held: 'Held back',
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
    ? { tone: 'trouble', word: 'Refused in part' }
    : { tone: outcomeTones[outcome], word: outcomeWords[outcome] }
}

/** When a rule acts, in one line: `3 × Print failed in 24h`. */
export function whenWords({
  kinds,
  times,
  within_minutes: minutes,
}: Pick<AutomationRule, 'kinds' | 'times' | 'within_minutes'>): string {
  const what = kinds.map((kind) => kindWords[kind] ?? kind).join(', ')
  return times === 1 ? what : `${times} × ${what} in ${formatMinutes(minutes)}`
}

/** What came of one action, in one line. */
export function stepWords({ do: name, result, detail }: AutomationRun['steps'][number]): string {
  const word = actionWords[name]
  if (result === 'not_done') return `${word}: not done, on trial`
  return detail === '' ? word : `${word}: ${detail}`
}
