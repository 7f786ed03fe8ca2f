import type { Context } from '../../../context/context.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { createSnapshots } from './snapshots.service.ts'

/**
 * Answers what the camera of a printer sees now; undefined when it has none, or shows nothing before the signal. Never rejects. Anyone who
 * looks at the same moment gets the same picture.
 */
export async function lookNow(
  context: Context,
  accountId: AccountId,
  printerId: PrinterId,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (signal.aborted) return undefined
  const asked = context.memory
    .hold(createSnapshots, context)
    .take(accountId, printerId)
    .catch((error: unknown) => {
      context.log.debug({ err: error, printer_id: printerId }, 'the camera of a printer shows nothing')
      return undefined
    })
  const patience = Promise.withResolvers<undefined>()
  const giveUp = () => patience.resolve(undefined)
  signal.addEventListener('abort', giveUp)
  const still = await Promise.race([asked, patience.promise])
  signal.removeEventListener('abort', giveUp)
  return still
}
