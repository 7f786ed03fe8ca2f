import type { Sql } from '../../../db/database.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { fallbackCurrency, isCurrency } from './currencies.ts'
import { findOrderSettings, type OrderSettingsRow, saveOrderSettings, stateCurrency } from './order-settings.queries.ts'
import type { OrderSettingsChange } from './order-settings.schema.ts'

/** The settings, with the currency that amounts without one of their own are in. */
export type OrderSettings = Omit<OrderSettingsRow, 'currency'> & {
  currency: string
  /** True when the account has named its currency. */
  isCurrencyStated: boolean
}

export async function getOrderSettings(sql: Sql, accountId: AccountId): Promise<OrderSettings> {
  const row = await findOrderSettings(sql, accountId)
  if (!row) throw notFound('account')
  return { ...row, currency: row.currency ?? fallbackCurrency, isCurrencyStated: row.currency !== null }
}

/**
 * Changes what is given and leaves the rest as it is. The first currency that an account names is that of all its orders until
 * then; a later one is that of orders from then on.
 *
 * @throws AppError `VALIDATION_ERROR`
 */
export async function changeOrderSettings(work: Work, body: OrderSettingsChange): Promise<OrderSettings> {
  const { sql, accountId, now } = work
  if (body.currency !== undefined) requireCurrency(body.currency)
  const before = await getOrderSettings(sql, accountId)
  const workingDays = body.working_days && [...body.working_days].sort((a, b) => a - b)
  const change = { ...body, ...(workingDays && { working_days: workingDays }) }
  const comparable = (row: object) => ({
    ...row,
    ...('working_days' in row && { working_days: String(row.working_days) }),
  })
  const fields = changedFields(
    comparable({ ...before, currency: before.isCurrencyStated ? before.currency : null }),
    comparable(change),
  )
  if (fields.length === 0) return before
  if (before.isCurrencyStated && fields.includes('currency')) await stateCurrency(sql, accountId, before.currency)
  await saveOrderSettings(sql, accountId, change, now)
  await work.record({ type: 'order_settings.updated', subjectId: accountId, data: { fields } })
  return getOrderSettings(sql, accountId)
}

/** @throws AppError `VALIDATION_ERROR` */
export function requireCurrency(code: string, field = 'currency'): void {
  if (!isCurrency(code)) {
    throw validationError({ [field]: [`"${code}" is not a currency of ISO 4217; write it like EUR.`] })
  }
}
