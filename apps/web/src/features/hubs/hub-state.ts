import type { Hub } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import type { Tone } from '../../ui/tone.ts'

type Presence = Pick<Hub, 'is_online' | 'is_stale' | 'claimed_at' | 'last_seen_at'>

interface PresentedHub {
  tone: Tone
  word: string
  /** What it means for the farm, where it needs saying. */
  sentence?: string
}

/** How a hub stands, in a word and, where something is to be done, a sentence. */
export function presentHub({ is_online, is_stale, claimed_at, last_seen_at }: Presence): PresentedHub {
  if (is_online && is_stale) {
    return {
      tone: 'waiting',
      word: t('Silent'),
      sentence: t(
        'It is connected but has sent nothing for two minutes. The state shown of its printers may be out of date.',
      ),
    }
  }
  if (is_online) return { tone: 'done', word: t('Connected') }
  if (claimed_at === null && last_seen_at === null) {
    return { tone: 'waiting', word: t('Not joined'), sentence: t('No machine has joined as this hub yet.') }
  }
  if (last_seen_at === null) {
    return { tone: 'waiting', word: t('Joined'), sentence: t('A machine has joined and has not connected yet.') }
  }
  return {
    tone: 'away',
    word: t('Away'),
    sentence: t('Its printers cannot be seen or moved until it is back. Prints that run go on.'),
  }
}
