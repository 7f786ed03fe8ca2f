import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import type { LivePrinters } from '../../live/printers.ts'

/** More printers than a process serves; beyond it those of the account first heard of are forgotten, the first of them first. */
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
  // By account, so that a hub that names a stranger's printer changes nothing for that stranger.
  const accounts = new Map<AccountId, Map<PrinterId, Date>>()
  let count = 0

  function forget(accountId: AccountId, printerId: PrinterId): void {
    const heardAt = accounts.get(accountId)
    if (heardAt?.delete(printerId)) count -= 1
    if (heardAt?.size === 0) accounts.delete(accountId)
  }

  function forgetFirst(): void {
    for (const [accountId, heardAt] of accounts) {
      for (const printerId of heardAt.keys()) {
        forget(accountId, printerId)
        return
      }
    }
  }

  printers.onSeen((printerId, _, { state, accountId, reportedAt }) => {
    if (state.status === 'offline') return
    let heardAt = accounts.get(accountId)
    if (heardAt === undefined) {
      heardAt = new Map()
      accounts.set(accountId, heardAt)
    }
    if (!heardAt.has(printerId)) count += 1
    heardAt.set(printerId, reportedAt)
    if (count > capacity) forgetFirst()
  })

  return { find: (accountId, printerId) => accounts.get(accountId)?.get(printerId), forget }
}
