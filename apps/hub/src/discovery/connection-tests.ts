import { type ConnectionProblem, connectionProblem } from '@printyard/protocol/connection-problems'
import type { HubMessageBody, ServiceMessageBody } from '@printyard/protocol/messages'
import { CONNECTION_TEST_LIMIT_MS } from '@printyard/protocol/version'
import { problemOf } from '../drivers/connection/problem-of.ts'
import { nothingSeen } from '../drivers/probe.ts'
import { probePrinter } from '../drivers/probe-printer.ts'
import type { Log } from '../util/log.ts'
import { resolveTyped } from './address-rules.ts'

/** At once; anyone who asks for more is told to wait, so that a hub is no tool to search a network with. */
const MOST_AT_ONCE = 3
/** The name service may take as long as is left of the limit. */
const PROBE_LIMIT_MS = CONNECTION_TEST_LIMIT_MS - 6_000

export interface ConnectionTests {
  /** Always answers, within `CONNECTION_TEST_LIMIT_MS`. */
  test(request: ServiceMessageBody<'test_connection'>): Promise<HubMessageBody<'connection_tested'>>
  stop(): void
}

export function createConnectionTests(deps: { dataDir: string; allowsPublic: boolean; log: Log }): ConnectionTests {
  const stopping = new AbortController()
  let running = 0

  const run = async ({ connection_type, connection }: ServiceMessageBody<'test_connection'>) => {
    if (connection_type !== 'virtual') await resolveTyped(connection, deps)
    return probePrinter({ ...deps, connection_type, connection, timeoutMs: PROBE_LIMIT_MS, signal: stopping.signal })
  }

  return {
    async test(request) {
      const { test_id } = request
      const refused = (problem: ConnectionProblem) => ({ test_id, printer: nothingSeen, problem: bounded(problem) })
      if (running >= MOST_AT_ONCE) {
        return refused(
          connectionProblem('busy', {
            message: 'The hub is testing other connections.',
            remedy: 'Wait until they are done, then try again.',
          }),
        )
      }
      running += 1
      try {
        const { printer, problem } = await run(request)
        return { test_id, printer, problem: problem && bounded(problem) }
      } catch (error) {
        return refused(problemOf(error))
      } finally {
        running -= 1
      }
    },
    stop: () => stopping.abort(new Error('the hub stops')),
  }
}

/** As long as a message may be. */
function bounded({ reason, message, remedy }: ConnectionProblem): ConnectionProblem {
  return { reason, message: message.slice(0, 500), remedy: remedy.slice(0, 500) }
}
