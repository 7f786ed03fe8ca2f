import type { HubMessage, PrinterSettings, ServiceMessageBody } from '@printyard/protocol/messages'
import type { BaseLogger } from 'pino'
import type { Context } from '../../context/context.ts'
import type { HubConnection } from '../../live/hubs.ts'
import { listLiveAttemptsOfHub } from '../attempts/attempts.queries.ts'
import { recordEvent } from '../events/events.queries.ts'
import { noteHubSeen } from '../hubs/hubs.queries.ts'
import { honourCancels } from '../jobs/life/cancel-job.ts'
import { releaseEnded } from '../jobs/life/release-ended.ts'
import { readPrinterSettings } from '../printers/send-settings.ts'
import { compareHello } from './compare-hello.ts'

/** Which hub a socket belongs to, as its token says. */
export interface HubIdentity {
  accountId: string
  hubId: string
  name: string
}

export type Hello = Extract<HubMessage, { type: 'hello' }>

/** Records what a hub says of itself when it connects; true when its journal was lost. */
export async function readHello(context: Context, hub: HubIdentity, hello: Hello, at: Date): Promise<boolean> {
  await noteHubSeen(context.db.sql, hub.accountId, hub.hubId, {
    at,
    firmware_version: hello.agent_version,
    hardware_version: hello.hardware_version,
  })
  return compareHello(context, hub, hello)
}

/** What a hub is told in its welcome: its printers, and the attempts that it is to settle. */
export async function readWelcome(
  context: Context,
  { accountId, hubId }: HubIdentity,
): Promise<{ printers: PrinterSettings[]; settle: ServiceMessageBody<'welcome'>['settle'] }> {
  const { sql } = context.db
  const [printers, settle] = await Promise.all([
    readPrinterSettings(context, sql, accountId, hubId),
    listLiveAttemptsOfHub(sql, accountId, hubId),
  ])
  return { printers, settle }
}

/** Takes what a hub said in its hello, once it was welcomed, and tells it what happened here while it was away. */
export async function recordArrival(
  context: Context,
  connection: HubConnection,
  hello: Hello,
  log: Pick<BaseLogger, 'warn'>,
): Promise<void> {
  const { accountId, hubId, connectedAt } = connection
  // Not waited for: the answers of the hub are read after this.
  honourCancels(context, { accountId, hubId }).catch((error: unknown) => {
    log.warn({ err: error }, 'what was cancelled while the hub was away is told later')
  })
  releaseEnded(context, { accountId, hubId }, hello.open_attempts).catch((error: unknown) => {
    log.warn({ err: error }, 'what is over is told to the hub at its next connection')
  })
  const printers = hello.printers.map(({ printer_id, state }) => ({ printer_id, full: true, state }))
  context.hubs.applyTelemetry(connection, printers, connectedAt)
  if (connection.tookOverAt) {
    await recordEvent(context.db.sql, accountId, {
      type: 'hub.replaced',
      subjectId: hubId,
      data: { agent_version: hello.agent_version },
      actor: `hub:${hubId}`,
    })
  }
  await recordEvent(context.db.sql, accountId, {
    type: 'hub.connected',
    subjectId: hubId,
    data: { agent_version: hello.agent_version },
    actor: `hub:${hubId}`,
  })
}

export async function recordDeparture(context: Context, { accountId, hubId }: HubIdentity): Promise<void> {
  const event = { type: 'hub.disconnected', subjectId: hubId, data: {}, actor: `hub:${hubId}` } as const
  await recordEvent(context.db.sql, accountId, event)
}
