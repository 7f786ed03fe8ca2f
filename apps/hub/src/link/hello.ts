import { arch, platform, release } from 'node:os'
import type { AttemptReport } from '@printyard/protocol/attempt'
import type { HubMessageBody } from '@printyard/protocol/messages'
import type { PrinterState } from '@printyard/protocol/printer-state'
import {
  CONNECTION_TEST_CAPABILITY,
  EJECTION_CAPABILITY,
  FILAMENT_MAP_CAPABILITY,
  PROTOCOL_VERSION,
  SNAPSHOT_CAPABILITY,
  TOKEN_RENEWAL_CAPABILITY,
} from '@printyard/protocol/version'
import packageJson from '../../package.json' with { type: 'json' }
import { isOpen, type JournalState } from '../journal/journal-state.ts'

const MAX_HELLO_BYTES = 200 * 1024
const MAX_FENCES = 500
const MAX_ENDED_ATTEMPTS = 100
const MAX_KNOWN_REPORTS = 1000

/**
 * The first thing that the service hears: what the journal holds, by which the service notices that the journal or its own
 * database is older than what has happened, and what is known of the printers. What does not fit into one frame is left
 * out, the pictures first, which follow as telemetry.
 */
export function composeHello(
  journal: JournalState,
  { states, keepsToken = false }: { states: ReadonlyMap<string, PrinterState>; keepsToken?: boolean },
): HubMessageBody<'hello'> {
  let room = MAX_HELLO_BYTES
  const fitting = <T>(items: Iterable<T>): T[] => {
    const taken: T[] = []
    for (const item of items) {
      room -= JSON.stringify(item).length + 1
      if (room < 0) break
      taken.push(item)
    }
    return taken
  }
  const attempts = [...journal.attempts.values()].map(
    ({ report, identity }): AttemptReport => ({ ...report, file_name: identity.file_name }),
  )
  const ended = attempts.filter((report) => !isOpen(report)).sort(byTime)
  return {
    protocol_version: PROTOCOL_VERSION,
    agent_version: packageJson.version,
    hardware_version: `${platform()} ${release()} ${arch()}`.slice(0, 64),
    journal_position: journal.position,
    ...(journal.journalId !== null && { journal_id: journal.journalId }),
    capabilities: [
      EJECTION_CAPABILITY,
      CONNECTION_TEST_CAPABILITY,
      SNAPSHOT_CAPABILITY,
      FILAMENT_MAP_CAPABILITY,
      ...(keepsToken ? [TOKEN_RENEWAL_CAPABILITY] : []),
    ],
    open_attempts: fitting(attempts.filter(isOpen)),
    known_reports: fitting(knownReports(journal)),
    fences: fitting([...journal.fences].slice(0, MAX_FENCES).map(([printer_id, fence]) => ({ printer_id, fence }))),
    ended_attempts: fitting(ended.slice(-MAX_ENDED_ATTEMPTS).reverse()).reverse(),
    printers: fitting([...states].map(([printer_id, state]) => ({ printer_id, state }))),
  }
}

/** Chooses the oldest where there are more than fit: the newest that the service has stored is acknowledged, or owed for not much longer. */
function knownReports({ acknowledged, outbox }: JournalState): string[] {
  const owed = [...outbox.values()].filter(({ type }) => type === 'attempt').map(({ id }) => id)
  return [...acknowledged, ...owed].slice(0, MAX_KNOWN_REPORTS)
}

const byTime = (a: AttemptReport, b: AttemptReport) => Date.parse(a.happened_at) - Date.parse(b.happened_at)
