import { useEffect, useState } from 'react'
import type { ApiClient } from '../../lib/api-client.ts'
import { ApiError } from '../../lib/api-client.ts'
import { createRequestBudget } from '../../lib/request-budget.ts'
import { pollWhileVisible } from '../../lib/use-polling.ts'
import type { StatusReading } from './printer-presentation.ts'
import { getPrinterStatus } from './printers.api.ts'
import { pickNextReading } from './reading-order.ts'

const restMs = 5000
const turnMs = 250

/**
 * Live statuses of the printers shown, read one after another. At most 60 requests a minute: half of what the key is
 * allowed, so that lists, a second page and the owner's scripts have room.
 */
export function usePrinterStatuses(client: ApiClient, printerIds: string[]): ReadonlyMap<string, StatusReading> {
  const [readings, setReadings] = useState<ReadonlyMap<string, StatusReading>>(new Map())
  // Outlives a change of the list: a new round must not bring a new allowance.
  const [rounds] = useState(() => ({
    budget: createRequestBudget({ perMinute: 60, burst: 12, now: Date.now }),
    readAtMs: new Map<string, number>(),
  }))
  const idsText = printerIds.join(' ')

  useEffect(() => {
    const ids = idsText === '' ? [] : idsText.split(' ')

    async function readNext(signal: AbortSignal) {
      const id = pickNextReading(ids, rounds.readAtMs, Date.now(), restMs)
      if (id === undefined || !rounds.budget.tryTake()) return
      rounds.readAtMs.set(id, Date.now())
      const reading = await readStatus(client, id, signal)
      setReadings((before) => new Map(before).set(id, reading))
    }

    return pollWhileVisible({ load: readNext, intervalMs: turnMs, onValue: ignoreValue, onError: ignoreError })
  }, [client, idsText, rounds])

  return readings
}

/** A refusal is a reading too, shown on the printer's card; silence and a request to wait are passed on. */
async function readStatus(client: ApiClient, id: string, signal: AbortSignal): Promise<StatusReading> {
  try {
    return { live: await getPrinterStatus(client, id, signal), readAtMs: Date.now() }
  } catch (error) {
    const concernsPrinter = error instanceof ApiError && error.status !== 0 && error.status !== 429
    if (!concernsPrinter || error.retryAfterMs !== undefined) throw error
    return { problem: error, readAtMs: Date.now() }
  }
}

// `readNext` stores what it read.
function ignoreValue() {
  return undefined
}

// Only what concerns the whole service comes here: the page says it once, and the cards keep what they showed.
function ignoreError() {
  return undefined
}
