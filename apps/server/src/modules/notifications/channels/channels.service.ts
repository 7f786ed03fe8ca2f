import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, type NotificationChannelId, newId, type UserId } from '../../../kernel/ids.ts'
import { createTargetPolicy } from '../../../kernel/target-policy.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { healthy } from '../../outbound/retry-schedule.ts'
import { holdMembersAmong } from '../../people/accounts/members.queries.ts'
import { newSecrets } from '../../webhooks/rules/webhook-secrets.ts'
import { followAccount } from '../account/follow-account.ts'
import { type ChannelSettings, type SettingName, settingNames } from '../adapters/adapter.ts'
import { adapters, type EnteredKind } from '../adapters/adapters.ts'
import { openSettings, sealSettings } from '../adapters/channel-settings.ts'
import { type ChannelRow, deleteChannel, findChannel, insertChannel, updateChannel } from './channels.queries.ts'
import type { ChannelChanges, NewChannel } from './channels.schema.ts'

type Known = Pick<Context, 'config' | 'secrets'>

export async function getChannel(
  sql: Sql,
  accountId: AccountId,
  channelId: NotificationChannelId,
  options?: { isLocked?: boolean },
): Promise<ChannelRow> {
  const row = await findChannel(sql, accountId, channelId, options)
  if (!row) throw notFound('channel')
  return row
}

/** Adds a channel. The secret that signs the messages of a webhook is made here, and shown once. */
export async function createChannel(
  { config, secrets }: Known,
  work: Work,
  body: NewChannel,
): Promise<{ channel: ChannelRow; secret: string | null }> {
  const { kind, name, user_id: userId = null } = body
  const secret = kind === 'webhook' ? newSecrets().current : null
  const settings = { ...completed(config, kind, enteredOf(body)), ...(secret !== null && { secret }) }
  await requireMember(work, kind, userId)
  await followAccount(work)
  const id = newId('notificationChannel', work.now.getTime())
  const sealed = sealSettings(secrets, id, settings)
  const target = targetOf(kind, settings)
  const channel = await insertChannel(work, { id, kind, name, user_id: userId, target, settings_sealed: sealed })
  await work.record({ type: 'notification_channel.created', subjectId: id, data: { kind, name } })
  return { channel, secret }
}

/** Changes what is given. One that is resumed, or is given other settings, starts over: what waits is due now. */
export async function changeChannel(
  { config, secrets }: Known,
  work: Work,
  channelId: NotificationChannelId,
  changes: ChannelChanges,
): Promise<ChannelRow> {
  const { sql, accountId, now } = work
  const before = await getChannel(sql, accountId, channelId, { isLocked: true })
  const kind = enteredKindOf(before)
  const entered = enteredOf(changes)
  const { name = before.name, user_id: userId = before.user_id, is_active: isActive } = changes
  const fields = [
    ...changedFields({ ...before, is_active: before.paused_at === null }, without(changes, settingNames)),
    ...Object.keys(entered),
  ]
  if (fields.length === 0) return before
  await requireMember(work, kind, userId)
  const stored = openSettings(secrets, channelId, before.settings_sealed)
  requireTokenAgain(stored, entered)
  const settings = {
    ...completed(config, kind, { ...stored, ...entered }),
    ...(stored.secret && { secret: stored.secret }),
  }
  const startsOver = (isActive === true && before.paused_at !== null) || Object.keys(entered).length > 0
  const changed = await updateChannel(work, channelId, {
    name,
    user_id: userId,
    target: targetOf(kind, settings),
    settings_sealed: sealSettings(secrets, channelId, settings),
    ...(isActive === true && { paused_at: null, pause_reason: null }),
    ...(isActive === false && before.paused_at === null && { paused_at: now, pause_reason: 'person' as const }),
    ...(startsOver && healthy),
  })
  await work.record({ type: 'notification_channel.updated', subjectId: channelId, data: { fields } })
  return changed
}

export async function removeChannel(work: Work, channelId: NotificationChannelId): Promise<void> {
  const { name } = await getChannel(work.sql, work.accountId, channelId, { isLocked: true })
  await deleteChannel(work, channelId)
  await work.record({ type: 'notification_channel.deleted', subjectId: channelId, data: { name } })
}

function without(changes: ChannelChanges, names: readonly string[]): Partial<ChannelChanges> {
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !names.includes(name)))
}

function enteredOf(body: Partial<Record<SettingName, string | undefined>>): ChannelSettings {
  return Object.fromEntries(settingNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}

/** The settings that a kind takes, all of them good. @throws AppError `VALIDATION_ERROR` */
function completed(config: Known['config'], kind: EnteredKind, entered: ChannelSettings): ChannelSettings {
  if (kind === 'mail') return {}
  const { needed, optional, defaults, address } = adapters[kind]
  const missing = needed.filter((name) => entered[name] === undefined)
  if (missing.length > 0) {
    throw validationError(Object.fromEntries(missing.map((name) => [name, [`is needed for a channel of ${kind}`]])))
  }
  const taken = Object.fromEntries(
    [...needed, ...optional].flatMap((name) => (name in entered ? [[name, entered[name]]] : [])),
  )
  const settings: ChannelSettings = { ...defaults, ...taken }
  const field = needed.includes('url') ? 'url' : 'server'
  const problem = createTargetPolicy(config.outboundNetworks).findUrlProblem(address(settings))
  if (problem !== undefined) throw validationError({ [field]: [problem] })
  return settings
}

/**
 * A token that is kept goes to the server that it was entered for, and never to another: who names one enters the token, too.
 *
 * @throws AppError `VALIDATION_ERROR`
 */
function requireTokenAgain(stored: ChannelSettings, entered: ChannelSettings): void {
  if (stored.token === undefined || entered.token !== undefined || entered.server === undefined) return
  const isSame = stored.server !== undefined && originOf(stored.server) === originOf(entered.server)
  if (!isSame) throw validationError({ token: ['is needed again: the server is another one'] })
}

/** Undefined for what is no address, which is no server either. */
const originOf = (address: string) => URL.parse(address)?.origin

/** Answers what may be shown of where it is: the host, because paths of such addresses are secrets. */
function targetOf(kind: EnteredKind, settings: ChannelSettings): string {
  return kind === 'mail' ? 'the mail server of the service' : new URL(adapters[kind].address(settings)).host
}

async function requireMember({ sql, accountId }: Work, kind: EnteredKind, userId: UserId | null): Promise<void> {
  if (userId === null) {
    if (kind === 'mail') throw validationError({ user_id: ['is needed: mail is sent to a member of the account'] })
    return
  }
  if (!(await holdMembersAmong(sql, accountId, [userId])).has(userId)) {
    throw validationError({ user_id: ['is no member of this account'] })
  }
}

function enteredKindOf({ kind }: Pick<ChannelRow, 'kind'>): EnteredKind {
  if (kind === 'web_push') throw new AppError('NOT_FOUND', { resource: 'channel' })
  return kind
}
