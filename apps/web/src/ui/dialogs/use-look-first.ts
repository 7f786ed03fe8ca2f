import { asApiError } from '../../lib/api/api-error.ts'
import { useConfirm } from './confirm.tsx'

/** The words by which a person ends what nobody can see from here; none while it can be seen. */
export interface SeenOver {
  seen_over?: true
}

/**
 * Calls what ends a print, clears a plate or takes a printer away. Where the service answers that nobody can see the print, the
 * person is sent to look, and the call is made again with their word for it.
 */
export function useLookFirst() {
  const confirm = useConfirm()
  return async <T>(call: (words: SeenOver) => Promise<T>): Promise<T> => {
    try {
      return await call({})
    } catch (error) {
      if (asApiError(error).code !== 'PRINTER_OUT_OF_REACH') throw error
      const isSeen = await confirm({
        title: 'The printer does not answer. Did you look at it?',
        body: 'It cannot be seen from here whether it still prints. Go and look. Once its print is over, say so: the job is cancelled, and nothing starts there until its plate is clear.',
        confirmLabel: 'I looked: it is over',
        cancelLabel: 'Not yet',
        isDangerous: true,
      })
      if (!isSeen) throw error
      return call({ seen_over: true })
    }
  }
}
