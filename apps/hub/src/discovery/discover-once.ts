import type { Candidate } from '@printyard/protocol/messages'
import { readDataDir, readDiscoverySettings } from '../config.ts'
import { problemOf } from '../drivers/connection/problem-of.ts'
import { systemClock, wait } from '../util/clock.ts'
import { createLineLog, type Log } from '../util/log.ts'
import { resolveTyped } from './address-rules.ts'
import { createDiscovery, farmSockets, noSockets } from './discovery.ts'

interface DiscoverOptions {
  /** Looked at as well; alone when the environment switches the search off. */
  address?: string | undefined
  dataDir?: string | undefined
  /** Time that answers are waited for. Printers announce themselves every few seconds. */
  seconds: number
}

/**
 * Looks for printers for a while, for a person at the hub's shell; a hub may run beside it. Rejects with a `HubConfigError`, or
 * with a `ConnectionProblemError` when the address may not be looked at.
 */
export async function discoverOnce(
  { address, dataDir, seconds }: DiscoverOptions,
  { env = process.env, log = createLineLog() }: { env?: NodeJS.ProcessEnv; log?: Log } = {},
): Promise<Candidate[]> {
  const { isDiscoveryOn, allowsPublicAddresses } = readDiscoverySettings(env)
  // Said here, because a search by itself only logs it.
  if (address !== undefined) await resolveTyped({ address }, { allowsPublic: allowsPublicAddresses })
  const discovery = createDiscovery({
    sockets: isDiscoveryOn ? farmSockets : noSockets,
    allowsPublic: allowsPublicAddresses,
    dataDir: readDataDir({ dataDir }, env),
    clock: systemClock,
    log,
    onChange: () => undefined,
    onSighting: () => undefined,
  })
  await discovery.start()
  try {
    const waiting = isDiscoveryOn ? wait(seconds * 1_000, new AbortController().signal) : undefined
    await Promise.all([discovery.search(address), waiting])
    return discovery.candidates()
  } finally {
    await discovery.stop()
  }
}

/** Answers what a person is told of an error of `discoverOnce`; undefined when it is none of a printer's. */
export function sentenceOf(error: unknown): string | undefined {
  const { reason, message, remedy } = problemOf(error)
  return reason === 'unknown' ? undefined : `${message} ${remedy}`
}
