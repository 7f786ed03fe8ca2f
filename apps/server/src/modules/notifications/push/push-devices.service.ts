import { createECDH, createHash } from 'node:crypto'
import type { Context } from '../../../context/context.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import { type NotificationChannelId, newId, type UserId } from '../../../kernel/ids.ts'
import { createTargetPolicy } from '../../../kernel/target-policy.ts'
import type { Work } from '../../events/work.ts'
import { followAccount } from '../account/follow-account.ts'
import { sealSettings } from '../adapters/channel-settings.ts'
import { deleteBrowser } from '../delivery/due.queries.ts'
import { type DeviceRow, isOwnDevice, listOldDevices, setDeviceSettings, upsertDevice } from './push-devices.queries.ts'
import type { NewDevice } from './push-devices.schema.ts'

/** Browsers of one person that are told: each that was ever used leaves one. */
export const mostDevices = 20

/** Has a browser of a person told. One that subscribes again stays the same one. */
export async function addDevice(
  { config, secrets }: Pick<Context, 'config' | 'secrets'>,
  work: Work,
  userId: UserId,
  { name, endpoint, keys }: NewDevice,
): Promise<DeviceRow> {
  const problem = createTargetPolicy(config.pushNetworks).findUrlProblem(endpoint)
  if (problem !== undefined) throw validationError({ endpoint: [problem] })
  if (!isPublicKey(keys.p256dh)) throw validationError({ 'keys.p256dh': ['is no key of a browser'] })
  await followAccount(work)
  const settings = { endpoint, ...keys }
  const id = newId('notificationChannel', work.now.getTime())
  const device = await upsertDevice(work, {
    id,
    user_id: userId,
    name,
    target: new URL(endpoint).host,
    settings_sealed: sealSettings(secrets, id, settings),
    endpoint_hash: createHash('sha256').update(endpoint).digest(),
  })
  if (!device.is_new) await setDeviceSettings(work, device.id, sealSettings(secrets, device.id, settings))
  else await work.record({ type: 'push_device.added', subjectId: id, data: { user_id: userId } })
  for (const oldId of await listOldDevices(work, userId, mostDevices)) await forget(work, userId, oldId, 'newer_ones')
  return device
}

/** @throws AppError `NOT_FOUND`, also for a browser of another person */
export async function removeDevice(work: Work, userId: UserId, deviceId: NotificationChannelId): Promise<void> {
  if (!(await isOwnDevice(work.sql, work.accountId, userId, deviceId))) throw notFound('browser of yours')
  await forget(work, userId, deviceId, 'person')
}

async function forget(work: Work, userId: UserId, deviceId: NotificationChannelId, why: string): Promise<void> {
  await deleteBrowser(work, deviceId)
  await work.record({ type: 'push_device.removed', subjectId: deviceId, data: { user_id: userId, why } })
}

/** True when something can be encrypted for it: a point of the curve P-256. */
function isPublicKey(text: string): boolean {
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    own.computeSecret(Buffer.from(text, 'base64url'))
    return true
  } catch {
    return false
  }
}
