import { createSecureContext } from 'node:tls'
import type { Context } from '../../../context/context.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { readBrokerUrl } from '../link/broker-address.ts'
import { type BrokerLink, BrokerProblem, type BrokerSettings, openBrokerLink } from '../link/broker-link.ts'
import { reachOf } from '../link/reach.ts'
import { findTopicProblem } from '../topics/topics.ts'
import {
  type BrokerFields,
  type BrokerRow,
  deleteBroker,
  findBroker,
  insertBroker,
  updateBroker,
} from './broker.queries.ts'
import { type BrokerChanges, defaultBaseTopic, defaultDiscoveryPrefix } from './broker.schema.ts'
import { openBrokerSettings, sealBrokerSettings } from './broker-secrets.ts'

const secretNames = ['username', 'password', 'ca'] as const

/** Answers what is stored of a broker; undefined when no key of the service opens it. */
export function settingsOf(context: Pick<Context, 'secrets' | 'log'>, row: BrokerRow): BrokerSettings | undefined {
  try {
    return openBrokerSettings(context.secrets, row.id, row.settings_sealed)
  } catch (error) {
    context.log.error({ err: error, broker_id: row.id }, 'the settings of an MQTT broker cannot be opened')
    return undefined
  }
}

/** Changes what is given; the first time it sets the broker up. */
export async function changeBroker(context: Context, work: Work, changes: BrokerChanges): Promise<BrokerRow> {
  const before = await findBroker(work.sql, work.accountId, { isLocked: true })
  refuseUnusable(changes, before)
  const known = before && settingsOf(context, before)
  requirePasswordAgain(before, known, changes)
  const entered = secretNames.filter((name) => changes[name] !== undefined)
  const id = before?.id ?? newId('mqttBroker', work.now.getTime())
  const fields: BrokerFields = {
    url: changes.url?.trim() ?? before?.url ?? '',
    base_topic: changes.base_topic ?? before?.base_topic ?? defaultBaseTopic,
    discovery_prefix: changes.discovery_prefix ?? before?.discovery_prefix ?? defaultDiscoveryPrefix,
    allowed_commands: changes.allowed_commands ?? before?.allowed_commands ?? [],
    is_active: changes.is_active ?? before?.is_active ?? false,
    settings_sealed:
      before && entered.length === 0
        ? before.settings_sealed
        : sealBrokerSettings(context.secrets, id, enteredInto(known, changes)),
  }
  const { settings_sealed: _, ...shown } = fields
  const changed = [...(before ? changedFields(comparable(before), comparable(shown)) : Object.keys(shown)), ...entered]
  if (before && changed.length === 0) return before
  const row = before ? await updateBroker(work, fields) : await insertBroker(work, { id, ...fields })
  await work.record({ type: 'mqtt_broker.updated', subjectId: row.id, data: { fields: changed } })
  return row
}

/** Lists are compared by what is in them. */
const comparable = <T extends Pick<BrokerFields, 'allowed_commands'>>(row: T) => ({
  ...row,
  allowed_commands: row.allowed_commands.toSorted().join(),
})

function enteredInto(known: BrokerSettings = {}, changes: BrokerChanges): BrokerSettings {
  const settings: BrokerSettings = { ...known }
  for (const name of secretNames) {
    const value = changes[name]
    if (value === null) delete settings[name]
    else if (value !== undefined) settings[name] = value
  }
  return settings
}

/** @throws AppError `VALIDATION_ERROR` */
function refuseUnusable(changes: BrokerChanges, before: BrokerRow | undefined): void {
  const problems: Record<string, string[]> = {}
  const url = changes.url?.trim() ?? before?.url
  if (url === undefined) problems.url = ['is required']
  else {
    try {
      readBrokerUrl(url)
    } catch (error) {
      problems.url = [(error as Error).message]
    }
  }
  for (const name of ['base_topic', 'discovery_prefix'] as const) {
    const problem = changes[name] === undefined ? undefined : findTopicProblem(changes[name])
    if (problem !== undefined) problems[name] = [problem]
  }
  if (typeof changes.ca === 'string' && !isCertificate(changes.ca)) {
    problems.ca = ['must be a certificate as PEM, which begins with -----BEGIN CERTIFICATE-----']
  }
  if (Object.keys(problems).length > 0) throw validationError(problems)
}

/**
 * A password that is kept goes to the broker that it was entered for, and never to another, nor unencrypted where it went encrypted: who
 * names another address enters the password, too.
 *
 * @throws AppError `VALIDATION_ERROR`
 */
function requirePasswordAgain(
  before: BrokerRow | undefined,
  known: BrokerSettings | undefined,
  { url, password }: BrokerChanges,
): void {
  if (!before || known?.password === undefined || url === undefined || password !== undefined) return
  if (!isSameBroker(before.url, url))
    throw validationError({ password: ['is needed again: the broker is another one'] })
}

function isSameBroker(one: string, other: string): boolean {
  const [a, b] = [readBrokerUrl(one), readBrokerUrl(other.trim())]
  return a.host === b.host && a.port === b.port && a.isEncrypted === b.isEncrypted
}

function isCertificate(pem: string): boolean {
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) return false
  try {
    createSecureContext({ ca: pem })
    return true
  } catch {
    return false
  }
}

/** Forgets the broker: what was entered of it is erased, and the process that holds its connection clears what was published. */
export async function removeBroker(work: Work): Promise<void> {
  const row = await findBroker(work.sql, work.accountId, { isLocked: true })
  if (!row) throw notFound('MQTT broker')
  await deleteBroker(work)
  await work.record({ type: 'mqtt_broker.removed', subjectId: row.id, data: {} })
}

const ownLinkMs = 20_000

/**
 * Works on a connection of its own with what is stored, beside that of the process that publishes.
 *
 * @throws BrokerProblem when there is no connection
 */
export async function withOwnLink<T>(
  context: Context,
  row: BrokerRow,
  work: (link: BrokerLink) => Promise<T>,
): Promise<T> {
  const settings = settingsOf(context, row)
  if (!settings) throw new BrokerProblem('The stored credentials cannot be decrypted: enter them again.')
  const link = await openBrokerLink(reachOf(context), {
    address: readBrokerUrl(row.url),
    settings,
    clientId: newId('mqttLease'),
    onMessage: () => undefined,
    connectSignal: AbortSignal.timeout(ownLinkMs),
  })
  try {
    return await work(link)
  } finally {
    await link.end()
  }
}

/** Connects with what is stored, on a connection of its own, and publishes nothing. */
export async function testBroker(
  context: Context,
  row: BrokerRow | undefined,
): Promise<{ ok: boolean; problem: string | null }> {
  if (!row) throw notFound('MQTT broker')
  try {
    await withOwnLink(context, row, async () => undefined)
    return { ok: true, problem: null }
  } catch (error) {
    if (error instanceof BrokerProblem) return { ok: false, problem: error.message }
    throw error
  }
}
