import type { Context } from '../../context/context.ts'
import type { Database, Sql } from '../../db/database.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound, validationError } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { workOf } from '../events/work.ts'
import { minuteOfDay } from '../matching/working-hours.ts'
import { findSettings, type SettingsRow, saveSettings } from './settings.queries.ts'
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
  begin: Database['begin'] = context.db.begin,
): Promise<SettingsRow> {
  const { working_hours: hours, ...heating } = body
  if (hours && minuteOfDay(hours.from) >= minuteOfDay(hours.to)) {
    throw validationError({ 'working_hours.to': ['must be later than from'] })
  }
  return begin(async (sql) => {
    const work = workOf(context, actor, sql)
    await saveSettings(work, {
      ...heating,
      ...(hours !== undefined && {
        working_days: hours && [...hours.days].sort((a, b) => a - b),
        working_from: hours?.from ?? null,
        working_to: hours?.to ?? null,
      }),
    })
    await work.record({
      type: 'scheduler.settings_changed',
      subjectId: actor.accountId,
      data: { fields: Object.keys(body) },
    })
    return getSettings(sql, actor.accountId)
  })
}
