import type { Sql } from '../../../db/database.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { findMaterialSettings, type MaterialSettingsRow, saveMaterialSettings } from './material-settings.queries.ts'
import { type MaterialSettingsChange, settingsColumns } from './material-settings.schema.ts'

/** Settings of an account that has set nothing: there must be enough, to the last gram. */
const defaults: MaterialSettingsRow = { checks_filament: true, filament_margin: 0 }

export async function getMaterialSettings(sql: Sql, accountId: AccountId): Promise<MaterialSettingsRow> {
  return (await findMaterialSettings(sql, accountId)) ?? defaults
}

/** Changes what is given and leaves the rest as it is. The settings are locked by the caller. */
export async function changeMaterialSettings(work: Work, body: MaterialSettingsChange): Promise<MaterialSettingsRow> {
  const change = settingsColumns(body)
  const before = await getMaterialSettings(work.sql, work.accountId)
  const columns = changedFields(before, change)
  if (columns.length === 0) return before
  await saveMaterialSettings(work, change)
  const fields = columns.map((column) => (column === 'filament_margin' ? 'filament_margin_grams' : column))
  await work.record({ type: 'material_settings.updated', subjectId: work.accountId, data: { fields } })
  return { ...before, ...change }
}
