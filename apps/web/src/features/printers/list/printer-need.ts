import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'

export type NeedKind = 'error' | 'paused' | 'problem' | 'plate' | 'offline'

interface Need {
  kind: NeedKind
  /** In a few words, for a card or a list. */
  sentence: string
}

/** In the order in which a person should go there. */
export const needKinds: readonly NeedKind[] = ['error', 'paused', 'problem', 'plate', 'offline']

type Standing = Pick<
  LivePrinter,
  | 'is_active'
  | 'in_maintenance'
  | 'status'
  | 'status_reason'
  | 'health_problem'
  | 'plate_state'
  | 'hub_id'
  | 'hub_online'
>

/** What a printer needs a person for; undefined when it needs no one. One thing: the most pressing. */
export function needOf(printer: Standing): Need | undefined {
  const { status, status_reason, health_problem, plate_state } = printer
  if (!printer.is_active || printer.in_maintenance) return undefined
  if (status === 'error')
    return {
      kind: 'error',
      sentence: inFewWords(health_problem ?? status_reason ?? '') || t('It reports an error'),
    }
  if (status === 'paused')
    return { kind: 'paused', sentence: inFewWords(status_reason ?? '') || t('Its print is paused') }
  if (health_problem !== null) return { kind: 'problem', sentence: inFewWords(health_problem) }
  if (status === 'offline') return { kind: 'offline', sentence: whyOffline(printer) }
  if (status === 'idle' && plate_state === 'occupied')
    return { kind: 'plate', sentence: t('A print lies on its plate') }
  if (status === 'idle' && plate_state === 'unknown') {
    return { kind: 'plate', sentence: t('Its plate was not confirmed to be clear') }
  }
  return undefined
}

/** What a printer says of itself, without the full stop that some end it with: more words may follow. */
const inFewWords = (said: string): string => serviceSentence(said).replace(/\.$/, '')

function whyOffline({ hub_id, hub_online, status_reason }: Standing): string {
  if (hub_id === null) return t('No hub runs it')
  if (!hub_online) return t('Its hub is away')
  return inFewWords(status_reason ?? '') || t('It does not answer its hub')
}

/** How soon a person should go there; the least first. */
export function needRank(printer: Standing): number {
  const need = needOf(printer)
  return need ? needKinds.indexOf(need.kind) : needKinds.length
}
