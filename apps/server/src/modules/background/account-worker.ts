import type { Context } from '../../context/context.ts'
import type { ChangeNotice } from '../../db/commit-notices.ts'
import { isConnectionError, isLockTimeout } from '../../db/database-errors.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { KeyedWorker } from '../../kernel/keyed-worker.ts'
import { every } from '../../kernel/timers.ts'

/** Time after which what another transaction held for too long is asked for again, unless an event comes first. */
const lockRetryMs = 1_000

/** Work that is done for one account after another, whenever something happened to it and from time to time. */
interface AccountWork {
  /** What it does, in the words of the log: "plan orders". */
  name: string
  /**
   * One turn. An error is logged; the account has its next turn at the next event or sweep, or after `retryMs`. A turn that waited too long
   * for another transaction, as on a machine that is busy, is made up for soon.
   */
  work: (accountId: AccountId) => Promise<void>
  /** Accounts that are worked for at once. Each may hold one connection for transactions; requests need the others. */
  atOnce: number
  /** Time within which what comes makes one turn: things often happen many at once. */
  gatherMs: number
  /** Time that an account rests after a turn, given how long that lasted. `gatherMs` by default. */
  pauseMs?: (lastedMs: number) => number
  /** Beginnings of the names of events after which an account has a turn. Without them sweeps alone find work. */
  wokenBy?: readonly string[]
  /** Also by those that other processes recorded, for what one process alone can do; else the process that recorded it does the work. */
  isWokenElsewhere?: true
  sweepMs: number
  /** Time after an error before an account has another turn, where a sweep would not find it. */
  retryMs?: number
  /** The accounts that have work to do; finds what no event told, such as what another process wrote. */
  findAccounts: () => Promise<readonly AccountId[]>
}

/** A worker that runs. */
export interface AccountWorker {
  /** Gives an account a turn soon. */
  wake(accountId: AccountId): void
  /** Starts no turn any more, and waits for those under way. */
  stop(): Promise<void>
}

/** Works for accounts until it is stopped. Any number may run on one database; draining ends its turns. */
export function runAccountWorker(context: Context, options: AccountWork): AccountWorker {
  const { name } = options
  const turns = new KeyedWorker<AccountId>(
    async (accountId) => {
      if (!context.isDraining()) await options.work(accountId)
    },
    {
      atOnce: options.atOnce,
      gatherMs: options.gatherMs,
      ...(options.pauseMs && { pauseMs: options.pauseMs }),
      onError(error, accountId) {
        if (context.isDraining()) return undefined
        const about = { err: error, account_id: accountId, task: name }
        if (isLockTimeout(error)) {
          context.log.warn(about, 'work for an account waits: another transaction holds what it needs')
          return options.retryMs ?? lockRetryMs
        }
        if (isConnectionError(error)) context.log.warn(about, 'work for an account waits: the database is away')
        else context.log.error(about, 'work for an account failed')
        return options.retryMs
      },
    },
  )
  const wake = (accountId: AccountId) => void turns.request(accountId)
  const stopSweep = every(options.sweepMs, name, context.log, async () => {
    if (context.isDraining()) return
    for (const accountId of await options.findAccounts()) wake(accountId)
  })
  const { wokenBy = [] } = options
  const hear = ({ accountId, what }: ChangeNotice) => {
    if (wokenBy.some((beginning) => what.startsWith(beginning))) wake(accountId)
  }
  const stopListening = context.db.onChange(hear)
  const stopListeningElsewhere = options.isWokenElsewhere && context.db.onChangeElsewhere(hear)
  return {
    wake,
    async stop() {
      stopSweep()
      stopListening()
      stopListeningElsewhere?.()
      await turns.stop()
    },
  }
}

/** Starts a worker when the application listens, and stops it when the application closes. */
export function runWhileListening(app: App, start: () => Pick<AccountWorker, 'stop'>): void {
  let worker: Pick<AccountWorker, 'stop'> | undefined
  app.addHook('onListen', async () => {
    worker ??= start()
  })
  app.addHook('onClose', async () => {
    await worker?.stop()
  })
}
