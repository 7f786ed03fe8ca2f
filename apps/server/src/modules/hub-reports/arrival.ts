import type { ServiceMessageBody } from '@printyard/protocol/messages'
import type { BaseLogger } from 'pino'
import type { Context } from '../../context/context.ts'
import type { AccountId, HubId } from '../../kernel/ids.ts'
import type { Named } from '../../live/hub-messages.ts'
import type { HubConnection } from '../../live/hubs.ts'
import { listLiveAttemptsOfHub } from '../attempts/attempts.queries.ts'
import { workIn } from '../events/work.ts'
import { recordHubSeen } from '../hubs/hubs.queries.ts'
import { honourCancels } from '../jobs/life/cancel-job.ts'
import { releaseEnded } from '../jobs/life/release-ended.ts'
import { type PrintersTold, readPrinterSettings } from '../printers/send-settings.ts'

/** Which hub a socket belongs to, as its token says. */
export interface HubIdentity {
  accountId: AccountId
  hubId: HubId
  name: string
}

export type Hello = Named<'hello'>

/** Answers what a hub is told in its welcome: its printers, and the attempts that it is to settle. */
export async function readWelcome(
  context: Context,
  { accountId, hubId }: HubIdentity,
): Promise<{ told: Pick<ServiceMessageBody<'welcome'>, 'printers' | 'settle'>; printers: PrintersTold }> {
  const { sql } = context.db
  const [{ settings, printers }, settle] = await Promise.all([
    readPrinterSettings(context, sql, accountId, hubId),
    listLiveAttemptsOfHub(sql, accountId, hubId),
  ])
  return { told: { printers: settings, settle }, printers }
}

/**
 * Takes what a hub said in its hello, as soon as it was welcomed, and tells it what happened here while it was away. The pictures of its
 * printers are taken before anything is waited for: those that it sends from its welcome on are newer, and only differ from these.
 */
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
  const work = workIn(context.db.sql, { accountId, actor: `hub:${hubId}`, now: connectedAt })
  if (connection.tookOverAt) {
    await work.record({ type: 'hub.replaced', subjectId: hubId, data: { agent_version: hello.agent_version } })
  }
  await work.record({
    type: 'hub.connected',
    subjectId: hubId,
    data: { agent_version: hello.agent_version },
  })
}

/** @throws StaleConnectionError when a newer connection of the hub was let in, so that the hub is not gone */
export async function recordDeparture(context: Context, connection: HubConnection): Promise<void> {
  const { accountId, hubId, lastHeartbeatAt } = connection
  await context.db.beginForFarm(accountId, async (sql) => {
    await context.fences.hold(sql, hubId, connection)
    // Not all of its heartbeats were written.
    await recordHubSeen(sql, accountId, hubId, lastHeartbeatAt)
    const work = workIn(sql, { accountId, actor: `hub:${hubId}`, now: context.clock.now() })
    await work.record({ type: 'hub.disconnected', subjectId: hubId, data: {} })
  })
  await context.fences.release(connection)
}
