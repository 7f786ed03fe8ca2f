import type { Context } from '../../context/context.ts'
import type { Database, Sql } from '../../db/database.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound, validationError } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { changedFields } from '../events/changed-fields.ts'
import { workOf } from '../events/work.ts'
import { minuteOfDay } from '../matching/working-hours.ts'
import { findSettings, lockSettings, type SettingsRow, saveSettings } from './settings.queries.ts'
import type { ChangeSettingsBody } from './settings.schema.ts'

export async function getSettings(sql: Sql, accountId: AccountId): Promise<SettingsRow> {
  const settings = await findSettings(sql, accountId)
  if (!settings) throw notFound('account')
  return settings
}

/** Changes what is given and leaves the rest as it is. */
export async function changeSettings(
  context: Context,
  actor: Actor,
  body: ChangeSettingsBody,
  begin: Database['begin'] = (work) => context.db.beginFor(actor.accountId, work),
): Promise<SettingsRow> {
  const { working_hours: hours, ...heating } = body
  if (hours && minuteOfDay(hours.from) >= minuteOfDay(hours.to)) {
    throw validationError({ 'working_hours.to': ['must be later than from'] })
  }
  return begin(async (sql) => {
    const work = workOf(context, actor, sql)
    const change = {
      ...heating,
      ...(hours !== undefined && {
        working_days: hours && [...hours.days].sort((a, b) => a - b),
        working_from: hours?.from ?? null,
        working_to: hours?.to ?? null,
      }),
    }
    await lockSettings(sql, actor.accountId)
    const before = await getSettings(sql, actor.accountId)
    const columns = changedFields(before, change)
    if (columns.length === 0) return before
    await saveSettings(work, change)
    await work.record({
      type: 'scheduler.updated',
      subjectId: actor.accountId,
      data: {
        fields: [...new Set(columns.map((column) => (column.startsWith('working_') ? 'working_hours' : column)))],
      },
    })
    return getSettings(sql, actor.accountId)
  })
}
