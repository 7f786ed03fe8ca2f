import type { Sql } from '../../../db/database.ts'
import { isUniqueViolation } from '../../../db/database-errors.ts'
import { lockRow } from '../../../db/lock-row.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { type AccountId, type ColorId, newId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { type ColorRow, deleteColor, findColor, insertColor, updateColor } from './colors.queries.ts'
import type { ColorChanges, NewColor } from './colors.schema.ts'

export async function createColor(work: Work, input: NewColor): Promise<ColorRow> {
  const { now } = work
  const color = await insertColor(work, newId('color', now.getTime()), {
    color_name: input.color_name,
    hex_code: input.hex_code.toUpperCase(),
    filament_type: input.filament_type ?? '',
    is_active: input.is_active ?? true,
  }).catch(refuseColor)
  const { color_name, filament_type } = color
  await work.record({
    type: 'color.created',
    subjectId: color.id,
    data: { color_name, filament_type },
  })
  return color
}

/** Changes what is given. */
export async function changeColor(work: Work, colorId: ColorId, changes: ColorChanges): Promise<ColorRow> {
  const { sql, accountId } = work
  const given = { ...changes, ...(changes.hex_code !== undefined && { hex_code: changes.hex_code.toUpperCase() }) }
  await lockRow(sql, 'colors', accountId, colorId)
  const before = await getColor(sql, accountId, colorId)
  const fields = changedFields(before, given)
  if (fields.length === 0) return before
  const color = await updateColor(work, colorId, given).catch(refuseColor)
  if (!color) throw notFound('colour')
  await work.record({
    type: 'color.updated',
    subjectId: colorId,
    data: { fields },
  })
  return color
}

/** Nothing refers to a colour: SKUs and spools have copies of its name and code. */
export async function removeColor(work: Work, colorId: ColorId): Promise<void> {
  const colorName = await deleteColor(work, colorId)
  if (colorName === undefined) throw notFound('colour')
  await work.record({
    type: 'color.deleted',
    subjectId: colorId,
    data: { color_name: colorName },
  })
}

export async function getColor(sql: Sql, accountId: AccountId, colorId: ColorId): Promise<ColorRow> {
  const color = await findColor(sql, accountId, colorId)
  if (!color) throw notFound('colour')
  return color
}

function refuseColor(error: unknown): never {
  if (isUniqueViolation(error, 'colors_name_key')) throw new AppError('DUPLICATE_COLOR', {}, { cause: error })
  throw error
}
