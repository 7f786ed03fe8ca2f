import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, Sql } from '@printyard/server/db/database'
import type { Actor } from '@printyard/server/kernel/actor'
import type { AccountId, ApiKeyId, NotificationChannelId } from '@printyard/server/kernel/ids'
import { changeSchedule } from '@printyard/server/modules/backups/backups.service'
import { type Work, workIn } from '@printyard/server/modules/events/work'
import { createAccountWithOwner } from '@printyard/server/modules/people/accounts/accounts.service'
import { revokeKeyById } from '@printyard/server/modules/people/api-keys/api-keys.queries'
import { createApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import type { RunningService } from '@printyard/server/service'
import { createFarmClient, type FarmClient } from './farm-client.ts'
import { workOnTheFloor } from './farm-hand.ts'
import { type HubProcess, startHubProcess } from './hub-process.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { followReceiver, seedChannel, seedWebhooks } from './seed-connections.ts'
import { seedCosts } from './seed-costs.ts'
import { seedFarm } from './seed-farm.ts'
import { seedNotifications } from './seed-notifications.ts'
import { seedPictures } from './seed-pictures.ts'
import { seedPromises } from './seed-promises.ts'
import { seedRules } from './seed-rules.ts'
import { seedSales } from './seed-sales.ts'
import { seedShops } from './seed-shops.ts'

/** Simulated seconds per second: an hour of printing passes in a minute and a half. */
const speed = 40

const ownerEmail = 'owner@demo.example'
const ownerName = 'Demo owner'

/** What later starts need to know of the demo farm; no secret is among it. */
interface DemoRecord {
  account_id: AccountId
  hub_id: string
  key_ids: ApiKeyId[]
  /** Receiver to which its webhooks and messages go; a demo of an earlier version has neither. */
  receiver?: { port: number; channel_id: NotificationChannelId }
  /** False while the farm is being set up: a start that was killed then cannot be continued. */
  is_complete: boolean
}

/** The data directory is not one that the demo may use; the sentence says why and what to do. */
export class DemoDirectoryError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'DemoDirectoryError'
  }
}

export interface RunningDemo {
  stop(): Promise<void>
}

/**
 * Fills an empty data directory with a farm of virtual printers and keeps it printing: a hub in a process of its own,
 * and a person on the floor who works through the public API. Started again on the same directory it goes on.
 */
export async function startDemo(
  service: RunningService,
  options: { say: (line: string) => void },
): Promise<RunningDemo> {
  const { context, url } = service
  const path = join(context.config.dataDir, 'demo.json')
  const leaving = new AbortController()
  const known = await readRecord(path)
  const { dataDir } = context.config
  if (!known && (await hasAccounts(service))) {
    throw new DemoDirectoryError(
      `--demo needs an empty data directory; ${dataDir} already holds a farm. Choose another by PRINTYARD_DATA_DIR.`,
    )
  }
  if (known && !known.is_complete) {
    throw new DemoDirectoryError(
      `The set-up of the demo in ${dataDir} was interrupted. Delete that folder and start again.`,
    )
  }
  const record = known ?? (await createDemoAccount(context.db, options.say))
  if (!known) await writeRecord(path, record)

  for (const keyId of record.key_ids) await revokeKeyById(demoWork(context.db.sql, record.account_id), keyId)
  const forFloor = await makeKey(service, record.account_id, 'Demo: the floor', ['read', 'write', 'control'])
  const forVisitor = await makeKey(service, record.account_id, 'Demo: for you', ['read', 'write', 'control'])
  record.key_ids = [forFloor.id, forVisitor.id]
  const farm = createFarmClient(url, forFloor.key, leaving.signal)

  const receiver = await startReceiver(record.receiver?.port)
  if (!record.is_complete) {
    record.hub_id = (await farm.post<{ id: string }>('/hubs', { name: 'Workshop hub' })).id
    // Keys of their own: filling the farm takes more requests than one key has in a minute beside the first round.
    const fills = [
      (setUp: FarmClient) => seedFarm(setUp, record.hub_id),
      seedSales,
      async (setUp: FarmClient) => {
        await seedPictures(setUp)
        await seedWebhooks(setUp, receiver.url)
      },
    ]
    for (const fill of fills) {
      const forSetUp = await makeKey(service, record.account_id, 'Demo: set-up', ['read', 'write', 'control'])
      await fill(createFarmClient(url, forSetUp.key, leaving.signal))
      await revokeKeyById(demoWork(context.db.sql, record.account_id), forSetUp.id)
    }
    await seedCosts(context.db, record.account_id)
    const channelId = await seedChannel(context, record.account_id, receiver.url)
    record.receiver = { port: receiver.port, channel_id: channelId }
    await seedRules(context.db, record.account_id, channelId)
    await seedNotifications(context.db, record.account_id, channelId)
    await seedShops(context, record.account_id)
    // The first backup is made at once, so that the page has one to show.
    await context.db.begin((sql) => changeSchedule(demoWork(sql, record.account_id), { is_enabled: true }))
    await seedPromises(context.db, record.account_id)
    record.is_complete = true
  } else if (record.receiver && record.receiver.port !== receiver.port) {
    record.receiver.port = receiver.port
    await followReceiver(context, farm, {
      accountId: record.account_id,
      channelId: record.receiver.channel_id,
      receiverUrl: receiver.url,
    })
  }
  await writeRecord(path, record)

  const hub = startHubProcess({
    serviceUrl: url,
    token: await joinAgain(farm, url, record.hub_id),
    dataDir: join(context.config.dataDir, 'demo-hub'),
    speed,
    log: context.log,
  })
  const floor = workOnTheFloor(farm, context.log, leaving.signal)
  options.say(`An API key to look around with: ${forVisitor.key}`)
  return { stop: () => stopDemo(leaving, floor, hub, receiver) }
}

async function stopDemo(
  leaving: AbortController,
  floor: Promise<void>,
  hub: HubProcess,
  receiver: Receiver,
): Promise<void> {
  leaving.abort()
  await Promise.all([floor, hub.stop(), receiver.stop()])
}

async function hasAccounts(service: RunningService): Promise<boolean> {
  const rows = await service.context.db.sql`select id from accounts limit 1`
  return rows.length > 0
}

/** Makes the account with its owner, and says how they sign in. */
export async function createDemoAccount(db: Pick<Database, 'begin'>, say: (line: string) => void): Promise<DemoRecord> {
  const password = randomBytes(12).toString('base64url')
  const account = await createAccountWithOwner(
    db,
    { name: 'Demo farm', ownerEmail, ownerName, ownerPassword: password, createdBy: 'demo' },
    new Date(),
  )
  say(`The owner of the demo farm: ${ownerEmail}, password ${password}`)
  return { account_id: account.id, hub_id: '', key_ids: [], is_complete: false }
}

function makeKey(service: RunningService, accountId: AccountId, name: string, scopes: Actor['scopes']) {
  return service.context.db.begin((sql) => createApiKey(demoWork(sql, accountId), { name, scopes, expiresAt: null }))
}

function demoWork(sql: Sql, accountId: AccountId): Work {
  return workIn(sql, { accountId, actor: 'demo', now: new Date() })
}

/** A token is shown once and not kept, so each start joins the hub again. */
async function joinAgain(farm: FarmClient, serviceUrl: string, hubId: string): Promise<string> {
  const { join_code } = await farm.post<{ join_code: string }>(`/hubs/${hubId}/join-code`)
  const answer = await fetch(`${serviceUrl}/hub/v1/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: join_code }),
    signal: AbortSignal.timeout(10_000),
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  return data.token
}

async function readRecord(path: string): Promise<DemoRecord | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as DemoRecord
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function writeRecord(path: string, record: DemoRecord): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}
