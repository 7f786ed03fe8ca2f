import type { Sql } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/database-errors.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import { type AccountId, type MaterialId, newId, type PrinterId } from '../../kernel/ids.ts'
import { changedFields } from '../events/changed-fields.ts'
import type { Work } from '../events/work.ts'
import { readSpoolClaims } from './filament-reservations.queries.ts'
import { lockPrintersOfSpool, placeSpool, showLoadedFilament } from './load-spool.ts'
import { fromStored, kindWords, type MaterialKind, toStored } from './material-kinds.ts'
import { moveMaterial } from './material-ledger.ts'
import { materialStatus } from './material-status.ts'
import {
  deleteMaterialRow,
  findMaterial,
  insertMaterial,
  listMaterialsById,
  lockMaterials,
  type MaterialChange,
  type MaterialRow,
  sumComponentsByType,
  updateMaterial,
} from './materials.queries.ts'
import type { AvailabilityAnswer, AvailabilityQuestion, MaterialInput, QuantityInput } from './materials.schema.ts'

const defaultDiameterMm = 1.75

export async function getMaterial(
  sql: Sql,
  accountId: AccountId,
  kind: MaterialKind,
  materialId: MaterialId,
): Promise<MaterialRow> {
  const material = await findMaterial(sql, accountId, kind, materialId)
  if (!material) throw notFound(kindWords[kind].one)
  return material
}

/** A new material; what is there at the beginning is its first movement. */
export async function addMaterial(
  work: Work,
  kind: MaterialKind,
  input: MaterialInput,
  id: MaterialId = newId('material', work.now.getTime()),
): Promise<MaterialRow> {
  const material = await insertMaterial(work, {
    id,
    kind,
    ...(kind === 'filament' && { diameter: defaultDiameterMm }),
    ...changeOf(kind, { ...input, ...nameOf(kind, input) }),
  })
  await work.record({
    type: 'material.created',
    subjectId: material.id,
    data: { kind, type: material.type, name: material.name },
  })
  const initial = remainingOf(kind, input) ?? 0
  if (initial === 0) return material
  return moveMaterial(work, material, { reason: 'added', change: initial })
}

/**
 * Changes what is given. A remaining quantity that was weighed or counted is booked as a correction; a printer loads the
 * spool there, null takes it off.
 */
export async function changeMaterial(
  work: Work,
  kind: MaterialKind,
  materialId: MaterialId,
  input: MaterialInput,
): Promise<MaterialRow> {
  const { sql, accountId } = work
  if (input.slot !== undefined && typeof input.printer_id !== 'string') {
    throw validationError({ slot: ['only together with the printer that has it'] })
  }
  let material = await lockMaterial(sql, accountId, kind, materialId, input.printer_id ?? undefined)
  const change = changeOf(kind, input)
  const fields = changedFields(material, change)
  if (fields.length > 0) {
    const { remaining, low_threshold } = { ...material, ...change }
    const status = materialStatus({ remaining, low_threshold })
    material = await updateMaterial(work, materialId, { ...change, status })
    await work.record({
      type: 'material.updated',
      subjectId: material.id,
      data: { kind, fields },
    })
  }
  const counted = remainingOf(kind, input)
  if (counted !== undefined && counted !== material.remaining) {
    const movement = { reason: 'correction' as const, change: counted - material.remaining }
    material = await moveMaterial(work, material, movement)
  }
  if (input.printer_id !== undefined) {
    const place = input.printer_id === null ? null : { printerId: input.printer_id, slot: input.slot ?? 0 }
    await placeSpool(work, material, place)
  }
  if (material.printer_id) await showLoadedFilament(work, material.printer_id)
  return getMaterial(sql, accountId, kind, materialId)
}

/** Takes off, or adds, a quantity in grams or pieces. More than there is is refused. */
export async function moveQuantity(
  work: Work,
  kind: MaterialKind,
  materialId: MaterialId,
  { reason, quantity, notes }: { reason: 'consumed' | 'restocked' } & Pick<QuantityInput, 'quantity' | 'notes'>,
): Promise<MaterialRow> {
  const material = await lockMaterial(work.sql, work.accountId, kind, materialId)
  const stored = toStored(kind, quantity)
  if (stored === 0) throw validationError({ quantity: ['must not be less than a thousandth of a gram'] })
  if (reason === 'consumed' && stored > material.remaining) {
    const available = fromStored(kind, material.remaining)
    throw new AppError('INSUFFICIENT_QUANTITY', { available }, { details: { available } })
  }
  const change = reason === 'consumed' ? -stored : stored
  const movement = { reason, change, ...(notes !== undefined && { notes }) }
  const moved = await moveMaterial(work, material, movement)
  if (moved.printer_id) await showLoadedFilament(work, moved.printer_id)
  return moved
}

/** Deletes a material with its movements. RESOURCE_IN_USE for a spool that is loaded or printed from, and for what a bill of materials names. */
export async function removeMaterial(work: Work, kind: MaterialKind, materialId: MaterialId): Promise<void> {
  const material = await lockMaterial(work.sql, work.accountId, kind, materialId)
  if (material.printer_id) {
    throw new AppError('RESOURCE_IN_USE', { resource: 'spool', why: 'it is loaded on a printer; take it off first' })
  }
  const { reserved } = await readSpoolClaims(work.sql, work.accountId, [materialId])
  if (reserved[materialId]) {
    throw new AppError('RESOURCE_IN_USE', { resource: 'spool', why: 'a print that runs takes from it' })
  }
  await deleteMaterialRow(work, materialId).catch((error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error
    const why = 'a bill of materials or a kit names it'
    throw new AppError('RESOURCE_IN_USE', { resource: kindWords[kind].one, why }, { cause: error })
  })
  await work.record({
    type: 'material.deleted',
    subjectId: material.id,
    data: { kind, type: material.type, name: material.name },
  })
}

/** Checks whether there is enough of the components, named by their IDs or by their types. */
export async function checkAvailability(
  sql: Sql,
  accountId: AccountId,
  { items = [], components = [] }: AvailabilityQuestion,
): Promise<AvailabilityAnswer> {
  if (items.length + components.length === 0) throw validationError({ components: ['is required'] })
  const byId = await checkItems(sql, accountId, items)
  const byType = await checkTypes(sql, accountId, components)
  const hasShortage = byId.some(({ shortage }) => shortage > 0) || byType.some((type) => type.has_shortage)
  return { available: !hasShortage, has_shortage: hasShortage, items: byId, components: byType }
}

async function checkTypes(
  sql: Sql,
  accountId: AccountId,
  components: { component_type: string; quantity_needed: number }[],
): Promise<AvailabilityAnswer['components']> {
  const needs = new Map<string, number>()
  for (const { component_type: type, quantity_needed: quantity } of components) {
    needs.set(type, (needs.get(type) ?? 0) + quantity)
  }
  const stocks = new Map((await sumComponentsByType(sql, accountId, [...needs.keys()])).map((row) => [row.type, row]))
  return [...needs].map(([type, needed]) => {
    const { remaining = 0, most_of = null } = stocks.get(type) ?? {}
    const shortage = Math.max(0, needed - remaining)
    return {
      component_type: type,
      quantity_needed: needed,
      quantity_available: remaining,
      has_shortage: shortage > 0,
      shortage_amount: shortage,
      component_id: most_of,
    }
  })
}

/** An ID that names no component is the caller's mistake. */
async function checkItems(
  sql: Sql,
  accountId: AccountId,
  items: { id: MaterialId; quantity: number }[],
): Promise<AvailabilityAnswer['items']> {
  const needs = new Map<MaterialId, number>()
  for (const { id, quantity } of items) needs.set(id, (needs.get(id) ?? 0) + quantity)
  const found = await listMaterialsById(sql, accountId, 'components', [...needs.keys()])
  const byId = new Map(found.map((component) => [component.id, component]))
  const unknown = items.flatMap(({ id }, index) =>
    byId.has(id) ? [] : [[`items.${index}.id`, ['names no component']]],
  )
  if (unknown.length > 0) throw validationError(Object.fromEntries(unknown))
  return [...needs].map(([id, needed]) => {
    const { name = '', remaining = 0 } = byId.get(id) ?? {}
    return { id, name, needed, remaining, shortage: Math.max(0, needed - remaining) }
  })
}

/** A material, locked until the transaction ends; before it the printers that it is on and will be on. */
async function lockMaterial(
  sql: Sql,
  accountId: AccountId,
  kind: MaterialKind,
  materialId: MaterialId,
  nextPrinterId?: PrinterId,
): Promise<MaterialRow> {
  const seen = await getMaterial(sql, accountId, kind, materialId)
  const printerIds = [seen.printer_id, nextPrinterId].filter((id) => typeof id === 'string')
  await lockPrintersOfSpool(sql, accountId, printerIds)
  const [material] = await lockMaterials(sql, accountId, kind, [materialId])
  if (!material) throw notFound(kindWords[kind].one)
  return material
}

function remainingOf(kind: MaterialKind, input: MaterialInput): number | undefined {
  const given = input[kindWords[kind].remainingField]
  return given === undefined ? undefined : toStored(kind, given)
}

/** The columns that an input sets; a quantity that remains is none of them. */
function changeOf(kind: MaterialKind, input: MaterialInput): MaterialChange {
  const { remaining_grams, remaining_units, printer_id, slot, hex_code, diameter, ...others } = input
  const { low_threshold, spool_weight_grams: weight, ...texts } = others
  return {
    ...texts,
    ...(hex_code !== undefined && { hex_code: hex_code.toUpperCase() }),
    ...(diameter !== undefined && { diameter: diameter === null ? null : readDiameter(kind, diameter) }),
    ...(low_threshold !== undefined && { low_threshold: toStored(kind, low_threshold ?? 0) }),
    ...(weight !== undefined && { spool_weight: (weight !== null && toStored(kind, weight)) || null }),
  }
}

/** Millimetres; what the schema says of numbers holds for texts too. */
function readDiameter(kind: MaterialKind, diameter: number | string): number {
  const mm = Number(String(diameter).replace(/ ?mm$/, ''))
  const [least, most] = kind === 'filament' ? [0.5, 5] : [0, 10_000]
  if (mm < least || mm > most) throw validationError({ diameter: [`must be ${least} to ${most} mm`] })
  return mm
}

/** Filament is known by its type and colour; of everything else the type stands for a name that is left out. */
function nameOf(kind: MaterialKind, { name, type }: MaterialInput): { name?: string } {
  if (kind === 'filament') return {}
  const given = name ?? type
  if (given === undefined) throw validationError({ name: ['is required'] })
  return { name: given }
}
