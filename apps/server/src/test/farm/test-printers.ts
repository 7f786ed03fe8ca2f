import type { PrinterSettings } from '@printyard/protocol/messages'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { beforeAll, expect } from 'vitest'
import type { HubId, PrinterId } from '../../kernel/ids.ts'
import { fromHub, type PrinterState } from '../../live/hub-messages.ts'
import type { HubConnection } from '../../live/hubs.ts'
import { accountForAllTests } from '../app/app-hooks.ts'
import type { TestAccount } from '../app/test-app.ts'
import { hubConnection } from './hub-connection.ts'

/** What a hub is sent about its printers. */
interface SettingsFrame {
  type: string
  printers: PrinterSettings[]
}

/**
 * One application for the tests of this file, with two accounts, a clock that stands still, and hubs that are connected without
 * a socket.
 */
export function printersForAllTests() {
  const now = new Date('2026-03-01T12:00:00Z')
  const { t, account: farm } = accountForAllTests({ context: { clock: { now: () => now } } })
  const stranger = {} as TestAccount
  beforeAll(async () => {
    Object.assign(stranger, await t.account({ name: 'Another farm' }))
  })

  let names = 0
  const nextName = (prefix: string) => `${prefix} ${String(++names).padStart(3, '0')}`

  async function newHub(account: TestAccount = farm): Promise<HubId> {
    return (await account.request('POST', '/hubs', { name: nextName('Hub') })).json().data.id
  }

  /** The smallest valid printer, and what matters. */
  async function newPrinter(
    fields: object = {},
    account: TestAccount = farm,
  ): Promise<{ id: PrinterId; name: string }> {
    const answer = await account.request('POST', '/printers', {
      name: nextName('Printer'),
      model: 'MK4S',
      connection_type: 'virtual',
      ...fields,
    })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().data
  }

  function connect(hubId: HubId, account: TestAccount = farm): { connection: HubConnection; frames: SettingsFrame[] } {
    const frames: SettingsFrame[] = []
    const socket: HubConnection['socket'] = { send: (frame) => frames.push(JSON.parse(frame)), close: () => undefined }
    const connection = hubConnection({ accountId: account.id, hubId, socket }, now)
    t.context.hubs.attach(connection)
    return { connection, frames }
  }

  function report(connection: HubConnection, printerId: PrinterId, state: Partial<PrinterState>, at = now): void {
    // A hub reports a printer only once it was told of it, which may be a moment after the answer to anyone who added it.
    connection.printerIds = Object.assign(new Set<string>(), { has: () => true })
    t.context.hubs.applyTelemetry(
      connection,
      [{ printer_id: printerId, full: true, state: { ...fromHub(unknownPrinterState('test')), ...state } }],
      at,
    )
  }

  async function detail(id: string) {
    return (await farm.request('GET', `/printers/${id}`)).json().data
  }

  async function liveStatus(id: string) {
    return (await farm.request('GET', `/printers/${id}/status`)).json().data
  }

  async function eventsOf(subjectId: string): Promise<{ type: string; data: object }[]> {
    return [
      ...(await t.db.sql<{ type: string; data: object }[]>`
        select type, data from events where account_id = ${farm.id} and subject_id = ${subjectId} order by id`),
    ]
  }

  return { t, farm, stranger, nextName, newHub, newPrinter, connect, report, detail, liveStatus, eventsOf }
}
