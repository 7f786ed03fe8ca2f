import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import type { LivePrinters } from '../../live/printers.ts'

/** More printers than a process serves; beyond it the one first heard of is forgotten first. */
const mostRemembered = 100_000

export interface LastTelemetry {
  /**
   * Answers when the printer last answered its hub, by the reports of its hub to whichever process; also after the hub has left. That it does not
   * answer is no answer.
   */
  find(accountId: AccountId, printerId: PrinterId): Date | undefined
  forget(accountId: AccountId, printerId: PrinterId): void
}

/** Remembers in memory when each printer was last heard of: the state itself is gone as soon as its hub is. */
export function rememberLastTelemetry(
  printers: Pick<LivePrinters, 'onSeen'>,
  capacity = mostRemembered,
): LastTelemetry {
  const heardAt = new Map<string, Date>()
  // With the account, so that a hub that names a stranger's printer changes nothing for that stranger.
  const keyOf = (accountId: AccountId, printerId: PrinterId) => `${accountId} ${printerId}`

  printers.onSeen((printerId, _, live) => {
    if (live.state.status === 'offline') return
    heardAt.set(keyOf(live.accountId, printerId), live.reportedAt)
    if (heardAt.size > capacity) {
      for (const first of heardAt.keys()) {
        heardAt.delete(first)
        break
      }
    }
  })

  return {
    find: (accountId, printerId) => heardAt.get(keyOf(accountId, printerId)),
    forget(accountId, printerId) {
      heardAt.delete(keyOf(accountId, printerId))
    },
  }
}
