import { asApiError } from '../../lib/api/api-error.ts'
import { t } from '../../lib/i18n/t.ts'
import { useConfirm } from './confirm.tsx'

/** The words by which a person ends a print that cannot be seen from here; none while it can be seen. */
export interface SeenOver {
  seen_over?: true
}

/** By the code of the refusal: a hub that is gone for good must not hold its prints for ever. */
const titles = {
  PRINTER_OUT_OF_REACH: t('The printer does not answer. Did you look at it?'),
  HUB_OFFLINE: t('Its hub is not connected. Did you look at the printer?'),
}

/**
 * Calls what ends a print, clears a plate or takes a printer away. Where the service answers that the print cannot be seen, the
 * person is sent to look, and the call is made again with their word for it. With `endsPrint` also where its hub is away: any other
 * command waits for the hub.
 */
export function useLookFirst() {
  const confirm = useConfirm()
  return async <T>(call: (words: SeenOver) => Promise<T>, { endsPrint = false } = {}): Promise<T> => {
    try {
      return await call({})
    } catch (error) {
      const code: string = asApiError(error).code
      if (code !== 'PRINTER_OUT_OF_REACH' && !(endsPrint && code === 'HUB_OFFLINE')) throw error
      const isSeen = await confirm({
        title: titles[code],
        body: t(
          'It cannot be seen from here whether it still prints. Go and look. Once its print is over, say so: the job is cancelled, and nothing starts there until its plate is clear.',
        ),
        confirmLabel: t('I looked: it is over'),
        cancelLabel: t('Not yet'),
        isDangerous: true,
      })
      if (!isSeen) throw error
      return call({ seen_over: true })
    }
  }
}
