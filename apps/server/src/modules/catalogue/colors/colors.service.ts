import type { Sql } from '../../../db/database.ts'
import { isUniqueViolation } from '../../../db/database-errors.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { recordEvent } from '../../events/events.queries.ts'
import { type ColorRow, deleteColor, findColor, insertColor, updateColor } from './colors.queries.ts'
import type { ColorChanges, NewColor } from './colors.schema.ts'

/** `sql` is a transaction. */
export async function createColor(sql: Sql, actor: Actor, input: NewColor): Promise<ColorRow> {
  const color = await insertColor(sql, actor.accountId, newId('color'), {
    color_name: input.color_name,
    hex_code: input.hex_code.toUpperCase(),
    filament_type: input.filament_type ?? '',
    is_active: input.is_active ?? true,
  }).catch(refuseColor)
  const { color_name, filament_type } = color
  await recordEvent(sql, actor.accountId, {
    type: 'color.created',
    subjectId: color.id,
    data: { color_name, filament_type },
    actor: actor.label,
  })
  return color
}

/** Changes what is given. `sql` is a transaction. */
export async function changeColor(sql: Sql, actor: Actor, colorId: string, changes: ColorChanges): Promise<ColorRow> {
  const fields = Object.keys(changes)
  // Nothing but fields that this version does not know.
  if (fields.length === 0) return getColor(sql, actor.accountId, colorId)
  const color = await updateColor(sql, actor.accountId, colorId, {
    ...changes,
    ...(changes.hex_code !== undefined && { hex_code: changes.hex_code.toUpperCase() }),
  }).catch(refuseColor)
  if (!color) throw notFound('colour')
  await recordEvent(sql, actor.accountId, {
    type: 'color.updated',
    subjectId: colorId,
    data: { fields },
    actor: actor.label,
  })
  return color
}

/** Nothing refers to a colour: SKUs and spools have copies of its name and code. `sql` is a transaction. */
export async function removeColor(sql: Sql, actor: Actor, colorId: string): Promise<void> {
  const colorName = await deleteColor(sql, actor.accountId, colorId)
  if (colorName === undefined) throw notFound('colour')
  await recordEvent(sql, actor.accountId, {
    type: 'color.deleted',
    subjectId: colorId,
    data: { color_name: colorName },
    actor: actor.label,
  })
}

export async function getColor(sql: Sql, accountId: string, colorId: string): Promise<ColorRow> {
  const color = await findColor(sql, accountId, colorId)
  if (!color) throw notFound('colour')
  return color
}

function refuseColor(error: unknown): never {
  if (isUniqueViolation(error, 'colors_name_key')) throw new AppError('DUPLICATE_COLOR', {}, { cause: error })
  throw error
}
