import type { ChangeNotice } from '../db/commit-notices.ts'
import type { Database } from '../db/database.ts'
import { type AccountId, readId } from '../kernel/ids.ts'
import type { Bus } from './bus.ts'
import { Changes, makeReader, mostKinds } from './wire.ts'

const readChanges = makeReader(Changes)

/** Time within which what changes is told together, in ms. */
const gatherMs = 30

/**
 * Tells the other processes of which accounts something changed, so that streams and schedulers look at once; their sweeps look anyway.
 * Hints alone: what changed is read from the database.
 */
export class ChangeShare {
  readonly #processId: string
  readonly #bus: Bus
  readonly #gathered = new Map<AccountId, Set<string>>()
  readonly #stop: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(processId: string, bus: Bus, db: Pick<Database, 'onChange' | 'reportChangeElsewhere'>) {
    this.#processId = processId
    this.#bus = bus
    this.#stop = db.onChange((notice) => this.#gather(notice))
    bus.listen('changed:*', (text, channel) => {
      const accountId = readId('account', channel.slice(channel.lastIndexOf(':') + 1))
      const changes = readChanges(text)
      if (!changes || !accountId || changes.process === processId) return
      for (const what of changes.kinds) db.reportChangeElsewhere({ accountId, what })
    })
  }

  close(): void {
    this.#stop()
    clearTimeout(this.#timer)
  }

  #gather({ accountId, what }: ChangeNotice): void {
    if (!this.#bus.isReady) return
    const kinds = this.#gathered.get(accountId) ?? new Set()
    if (kinds.size < mostKinds) kinds.add(what)
    this.#gathered.set(accountId, kinds)
    this.#timer ??= setTimeout(() => this.#tell(), gatherMs).unref()
  }

  #tell(): void {
    this.#timer = undefined
    const messages = [...this.#gathered].map(
      ([accountId, kinds]) => [`changed:${accountId}`, { process: this.#processId, kinds: [...kinds] }] as const,
    )
    this.#gathered.clear()
    // A hint that is lost is made up for by the sweeps; that Redis is gone is told where it is seen.
    this.#bus.publishAll(messages).catch(() => undefined)
  }
}
