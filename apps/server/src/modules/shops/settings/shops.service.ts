import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { isUniqueViolation } from '../../../db/database-errors.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import { type AccountId, newId, type ShopId } from '../../../kernel/ids.ts'
import { createTargetPolicy } from '../../../kernel/target-policy.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { connectorOf } from '../connectors/connectors.ts'
import { type SettingName, type ShopSettings, settingNames } from '../connectors/contract/connector.ts'
import { ShopProblem } from '../connectors/contract/shop-problem.ts'
import { openShop } from './open-shop.ts'
import { newWebhookSecret, openSettings, sealSettings } from './shop-secrets.ts'
import { deleteShop, findShop, insertShop, makeDue, type ShopRow, updateShop } from './shops.queries.ts'
import type { NewShop, ShopChanges } from './shops.schema.ts'

type Known = Pick<Context, 'config' | 'secrets'>

/** Orders that are read when a shop is connected, unless its form says otherwise. */
const readBackMs = 30 * 24 * 60 * 60_000

export async function getShop(
  sql: Sql,
  accountId: AccountId,
  shopId: ShopId,
  options?: { isLocked?: boolean },
): Promise<ShopRow> {
  const row = await findShop(sql, accountId, shopId, options)
  if (!row) throw notFound('shop')
  return row
}

/** Connects a shop; reading begins at once. The secret that signs its webhooks is made here, and shown once. */
export async function connectShop(
  { config, secrets }: Known,
  work: Work,
  body: NewShop,
): Promise<{ shop: ShopRow; webhookSecret: string }> {
  const { platform, name, shop = '', url, orders_since, personalisation_names = [] } = body
  const { pushes_fulfilment = true, pushes_stock = false, stock_buffer = 0 } = body
  const webhookSecret = newWebhookSecret()
  const checked = checkedUrl(config, url)
  const settings = completed(platform, checked, { webhook_secret: webhookSecret, ...enteredOf(body) })
  const id = newId('shop', work.now.getTime())
  const row = {
    ...{ id, platform, name, shop, personalisation_names, pushes_fulfilment, pushes_stock, stock_buffer },
    url: checked,
    // It is read once a person has let us in there.
    paused_at: platform === 'etsy' ? work.now : null,
    settings_sealed: sealSettings(secrets, id, settings),
    orders_since: orders_since === undefined ? new Date(work.now.getTime() - readBackMs) : new Date(orders_since),
  }
  const made = await insertShop(work, row).catch((error: unknown) => {
    if (isUniqueViolation(error, 'shops_name_key'))
      throw new AppError('ALREADY_EXISTS', { resource: 'shop of this name' })
    throw error
  })
  await work.record({ type: 'shop.connected', subjectId: id, data: { platform, name } })
  return { shop: made, webhookSecret }
}

/** Changes what is given. A shop that is resumed, or is given other keys, is read now. */
export async function changeShop(
  { secrets }: Known,
  work: Work,
  shopId: ShopId,
  changes: ShopChanges,
): Promise<ShopRow> {
  const before = await getShop(work.sql, work.accountId, shopId, { isLocked: true })
  const { is_active: isActive, ...others } = changes
  const entered = enteredOf(changes)
  const given = withoutEntered(others)
  const fields = [
    ...changedFields(
      { ...comparable(before), is_active: before.paused_at === null },
      comparable({ ...given, ...(isActive !== undefined && { is_active: isActive }) }),
    ),
    ...Object.keys(entered),
  ]
  if (fields.length === 0) return before
  const isOver = isActive === true || Object.keys(entered).length > 0
  const changed = await updateShop(work, shopId, {
    ...given,
    ...(Object.keys(entered).length > 0 && {
      settings_sealed: sealSettings(
        secrets,
        shopId,
        completed(before.platform, before.url, {
          ...openSettings(secrets, shopId, before.settings_sealed),
          ...entered,
        }),
      ),
    }),
    ...(isActive === true && { paused_at: null }),
    ...(isActive === false && before.paused_at === null && { paused_at: work.now }),
    ...(isOver && { failures: 0, failing_since: null, problem: null }),
  })
  await work.record({ type: 'shop.updated', subjectId: shopId, data: { fields } })
  return changed
}

function withoutEntered(changes: Omit<ShopChanges, 'is_active'>): Omit<ShopChanges, 'is_active' | SettingName> {
  const names: readonly string[] = settingNames
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !names.includes(name)))
}

/** Lists are compared by what is in them. */
const comparable = (row: object) => ({
  ...row,
  ...('personalisation_names' in row && { personalisation_names: JSON.stringify(row.personalisation_names) }),
})

/** Disconnects a shop: what was entered of it is erased. Its orders stay. */
export async function disconnectShop(work: Work, shopId: ShopId): Promise<void> {
  const { name } = await getShop(work.sql, work.accountId, shopId, { isLocked: true })
  await deleteShop(work, shopId)
  await work.record({ type: 'shop.disconnected', subjectId: shopId, data: { name } })
}

/** Reads a shop now, and tries once more what was given up. */
export async function askShop(work: Work, shopId: ShopId): Promise<void> {
  const { paused_at: pausedAt } = await getShop(work.sql, work.accountId, shopId, { isLocked: true })
  if (pausedAt !== null) throw validationError({ _root: ['the shop is paused: resume it first'] })
  await makeDue(work, shopId)
}

/** Asks a shop whether it answers, and lets us in. */
export async function testShop(
  context: Context,
  row: ShopRow,
): Promise<{ ok: boolean; shop_name: string | null; problem: string | null }> {
  try {
    const { connector, client, shop } = openShop(context, row)
    return { ok: true, shop_name: await connector.test(client, shop), problem: null }
  } catch (error) {
    if (!(error instanceof ShopProblem)) throw error
    return { ok: false, shop_name: null, problem: error.message }
  }
}

function enteredOf(body: Partial<Record<SettingName, string | undefined>>): Partial<Record<SettingName, string>> {
  return Object.fromEntries(
    settingNames.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name].trim()]])),
  )
}

/** The settings that such a shop takes. @throws AppError `VALIDATION_ERROR` */
function completed(platform: string, url: string, given: ShopSettings): ShopSettings {
  const connector = connectorOf(platform)
  const { webhook_secret } = given
  const settings: ShopSettings = {
    webhook_secret,
    ...Object.fromEntries(connector.settings.flatMap((name) => (given[name] ? [[name, given[name]]] : []))),
  }
  const problem = connector.findProblem(settings, url)
  if (problem === undefined) return settings
  throw validationError(Object.fromEntries(Object.entries(problem).map(([field, words]) => [field, [words]])))
}

/** The address without what follows the shop. @throws AppError `VALIDATION_ERROR` */
function checkedUrl({ outboundNetworks }: Known['config'], text: string): string {
  const url = text.trim().replace(/\/+$/, '')
  const problem =
    createTargetPolicy(outboundNetworks).findUrlProblem(url) ??
    (new URL(url).search === '' ? undefined : 'must not contain a query')
  if (problem !== undefined) throw validationError({ url: [problem] })
  return url
}
