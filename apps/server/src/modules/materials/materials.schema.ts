import Type, { type Static, type TObject, type TProperties, type TUnsafe } from 'typebox'
import type { PageFilter } from '../../db/page-bounds.ts'
import {
  clearableText,
  hexCode,
  idOf,
  nullable,
  oneOf,
  publishedAs,
  request,
  resource,
  text,
  timestamp,
  wholeQuery,
} from '../../http/schema.ts'
import type { PrinterId } from '../../kernel/ids.ts'
import { actorName } from '../events/events.schema.ts'
import type { RecordName } from '../events/record-names.queries.ts'
import type { SpoolClaims } from './filament-reservations.queries.ts'
import { fromStored, kindWords, type MaterialKind, toStored } from './material-kinds.ts'
import { materialStatuses } from './material-status.ts'
import type { MaterialRow, MovementRow } from './materials.queries.ts'

/** Far more than any shelf holds, and small enough that no sum of movements overflows. */
const mostUnits = 1_000_000_000

const quantity = (kind: MaterialKind, description: string, minimum = 0) =>
  kind === 'filament'
    ? Type.Number({ minimum, maximum: mostUnits, description: `${description}, in grams to a thousandth` })
    : Type.Integer({ minimum, maximum: mostUnits, description: `${description}, in pieces` })

const common = {
  type: text(1, 100, 'Type, such as PLA for filament or screw for a component'),
  color: clearableText(50, 'Name of the colour; null or empty for none'),
  brand: clearableText(100, 'Brand; null or empty when unknown'),
  location: clearableText(200, 'Storage place; null or empty when unknown'),
}

/** A diameter as a number of millimetres, or as people write it. */
const diameter = (minimum: number, maximum: number) =>
  Type.Unsafe<number | string | null>({
    type: ['number', 'string', 'null'],
    minimum,
    maximum,
    maxLength: 20,
    pattern: '^[0-9]{1,5}([.][0-9]{1,4})? ?(mm)?$',
    description: `Diameter in mm, ${minimum} to ${maximum}; also as a text such as 1.75mm. Null when unknown`,
    examples: [1.75],
    [publishedAs]: { type: ['number', 'null'], minimum, maximum },
  })

const fields = {
  filament: {
    ...common,
    hex_code: hexCode('The colour'),
    diameter: diameter(0.5, 5),
    remaining_grams: quantity('filament', 'Filament left on the spool'),
    spool_weight_grams: nullable(
      Type.Number({ minimum: 0, maximum: 100_000, description: 'Grams on a full spool; null or 0 when unknown' }),
    ),
    low_threshold: nullable(
      quantity('filament', 'Threshold: with this much left or less it counts as low (null: only when nothing is left)'),
    ),
  },
  others: (kind: MaterialKind) => ({
    ...common,
    name: text(1, 200, 'Name; the type when it is left out'),
    diameter: diameter(0, 10_000),
    size: clearableText(100, 'Size, such as M3x8; null or empty when unknown'),
    remaining_units: quantity(kind, 'Quantity in stock'),
    low_threshold: nullable(
      quantity(kind, 'Threshold: with this many left or fewer it counts as low (null: only when nothing is left)'),
    ),
  }),
}

/** All that a caller may say of a material of any kind; which of it a kind takes, its schema says. */
export interface MaterialInput {
  type?: string
  name?: string
  color?: string
  hex_code?: string
  brand?: string
  diameter?: number | string | null
  size?: string
  remaining_grams?: number
  remaining_units?: number
  spool_weight_grams?: number | null
  low_threshold?: number | null
  location?: string
  printer_id?: PrinterId | null
  slot?: number
}

const slot = Type.Integer({
  minimum: 0,
  maximum: 255,
  description: 'Slot of the printer, by the number that the printer reports it with; 0 unless said otherwise',
})

/** The schema of a kind, typed as what all kinds share: the validator has checked by the schema, not by the type. */
function typedAs<T>(schema: TObject<TProperties>): TUnsafe<T> {
  return schema as unknown as TUnsafe<T>
}

function allOptional(properties: TProperties): TProperties {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]))
}

export function newMaterialBody(kind: MaterialKind) {
  if (kind === 'filament') {
    const { type, ...others } = fields.filament
    return typedAs<MaterialInput>(request({ type, ...allOptional(others) }))
  }
  return typedAs<MaterialInput>(request(allOptional(fields.others(kind))))
}

export function materialChangesBody(kind: MaterialKind) {
  const loading = {
    printer_id: nullable(idOf('printer', 'The printer that the spool is loaded on; null takes it off')),
    slot,
  }
  const properties = kind === 'filament' ? { ...fields.filament, ...loading } : fields.others(kind)
  return typedAs<MaterialInput>(request(allOptional(properties), { minProperties: 1 }))
}

export function materialsQuery(kind: MaterialKind) {
  return request({
    ...wholeQuery,
    status: Type.Optional(oneOf(materialStatuses, { description: 'Only those with this status' })),
    type: Type.Optional(text(1, 100, 'Only those of exactly this type')),
    material_type: Type.Optional(text(1, 100, 'Another name of type')),
    color: Type.Optional(text(1, 50, 'Only those of exactly this colour')),
    low_stock: Type.Optional(
      Type.Boolean({ description: 'Only those with the status low or out_of_stock, or only all others' }),
    ),
    ...(kind === 'filament' && {
      printer_id: Type.Optional(idOf('printer', 'Only spools that are loaded on this printer')),
    }),
  }) as unknown as TUnsafe<MaterialsQuery>
}
interface MaterialsQuery {
  limit?: number
  offset?: number
  cursor?: string
  status?: MaterialRow['status']
  type?: string
  material_type?: string
  color?: string
  low_stock?: boolean
  printer_id?: PrinterId
}
export type MaterialFilter = PageFilter<MaterialsQuery>

export const quantityBody = (kind: MaterialKind) =>
  request({
    quantity: quantity(kind, 'Quantity', kind === 'filament' ? 0.001 : 1),
    notes: Type.Optional(text(0, 1_000, 'Note for people on the purpose')),
  }) as unknown as TUnsafe<QuantityInput>

const consumeReasons = ['manual_adjustment', 'damaged', 'other'] as const

export const consumeBody = (kind: MaterialKind) =>
  request({
    quantity: quantity(kind, 'Quantity', kind === 'filament' ? 0.001 : 1),
    reason: oneOf(consumeReasons, { default: 'manual_adjustment', description: 'Reason of the withdrawal' }),
    notes: Type.Optional(text(0, 1_000, 'Note for people on the purpose')),
  }) as unknown as TUnsafe<QuantityInput>

export interface QuantityInput {
  quantity: number
  reason?: (typeof consumeReasons)[number]
  notes?: string
}

const shared = {
  id: Type.String({ description: 'ID of the material' }),
  type: Type.String({ description: 'Type, such as PLA or screw' }),
  color: Type.String({ description: 'Name of the colour; empty for none' }),
  brand: Type.String({ description: 'Brand; empty when unknown' }),
  diameter: nullable(Type.Number({ description: 'Diameter in mm' })),
}
const closing = {
  low_threshold: Type.Number({ description: 'Threshold at or below which it counts as low' }),
  status: oneOf(materialStatuses, {
    description: 'out_of_stock: nothing left; low: at or below the threshold; else in_stock',
  }),
  location: Type.String({ description: 'Storage place; empty when unknown' }),
  created_at: timestamp('Time at which it was added'),
  updated_at: timestamp('Time of the last change'),
}

const filamentAnswer = resource('FilamentSpool', 'One spool of filament', {
  ...shared,
  hex_code: Type.String({ description: 'The colour as #RRGGBB; empty when unknown' }),
  remaining_grams: Type.Number({ description: 'Filament left on the spool, in grams' }),
  reserved_grams: Type.Number({ description: 'Grams that running prints will take of it, as their files say' }),
  available_grams: Type.Number({
    description:
      'Filament free for further prints, in grams: the remaining less the reserved grams and the margin of the settings',
  }),
  spool_weight_grams: nullable(Type.Number({ description: 'Grams on a full spool' })),
  printer_id: nullable(Type.String({ description: 'The printer that it is loaded on' })),
  slot: nullable(Type.Integer({ description: 'The slot of that printer' })),
  ...closing,
})

const unitsAnswer = (kind: MaterialKind) =>
  resource(kindWords[kind].title, `A ${kindWords[kind].one} that is kept in stock`, {
    ...shared,
    name: Type.String({ description: 'Name' }),
    size: Type.String({ description: 'Size, such as M3x8; empty when unknown' }),
    remaining_units: Type.Integer({ description: 'Number in stock' }),
    ...closing,
  })

export function materialAnswer(kind: MaterialKind) {
  return typedAs<ReturnType<typeof presentMaterial>>(kind === 'filament' ? filamentAnswer : unitsAnswer(kind))
}

/** A material after some of it was taken, by which it stands in the answer twice: its fields, and under its name. */
export function consumedAnswer(kind: MaterialKind) {
  const material = kind === 'filament' ? filamentAnswer : unitsAnswer(kind)
  return typedAs<ReturnType<typeof presentConsumed>>(
    resource(`Consumed${kindWords[kind].title}`, `A ${kindWords[kind].one} after some of it was taken`, {
      ...material.properties,
      [kindWords[kind].key]: material,
      consumed: resource('MaterialConsumption', 'Quantity taken, and why', {
        quantity: Type.Number({ description: 'Grams of filament or pieces taken' }),
        reason: oneOf(consumeReasons, { description: 'Reason of the withdrawal' }),
        notes: Type.String({ description: 'Notes of a person; empty for none' }),
        previous_quantity: Type.Number({ description: 'Quantity before' }),
        new_quantity: Type.Number({ description: 'Quantity after' }),
      }),
    }),
  )
}

export function presentConsumed(
  row: MaterialRow,
  claims: SpoolClaims,
  { quantity, reason = 'manual_adjustment', notes = '' }: QuantityInput,
) {
  const { kind } = row
  const taken = toStored(kind, quantity)
  const material = presentMaterial(row, claims)
  return {
    ...material,
    [kindWords[kind].key]: material,
    consumed: {
      quantity,
      reason,
      notes,
      previous_quantity: fromStored(kind, row.remaining + taken),
      new_quantity: fromStored(kind, row.remaining),
    },
  }
}

const movementReasons = ['added', 'restocked', 'consumed', 'printed', 'assembled', 'shipped', 'correction'] as const

export const MaterialMovement = resource('MaterialMovement', 'One change of the quantity of a material', {
  id: Type.String({ description: 'ID of the movement' }),
  reason: oneOf(movementReasons, { description: 'Reason of the change' }),
  change: Type.Number({ description: 'Grams of filament or pieces added, or taken off when negative' }),
  quantity_before: Type.Number({ description: 'Quantity before' }),
  quantity_after: Type.Number({ description: 'Quantity after: before plus change' }),
  shortage: Type.Number({ description: 'Quantity that a print or a parcel used beyond the known stock' }),
  job_id: nullable(Type.String({ description: 'The job that used it' })),
  job_name: nullable(
    Type.String({
      description: 'Name of the product that the job printed, else of its file',
      examples: ['Shelf bracket'],
    }),
  ),
  attempt_id: nullable(Type.String({ description: 'The attempt that used it' })),
  assembly_task_id: nullable(Type.String({ description: 'The assembly that used it' })),
  shipment_id: nullable(
    Type.String({ description: 'The parcel that took it', examples: ['shp_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  ),
  order_id: nullable(Type.String({ description: 'The order of that parcel' })),
  order_number: nullable(Type.String({ description: 'Its number' })),
  notes: Type.String({ description: 'Notes of a person; empty for none' }),
  actor: Type.String({ description: 'Actor that changed it: `user:`, `key:` or `hub:` and an ID, or `system`' }),
  actor_name: actorName,
  happened_at: nullable(
    timestamp(
      'Time at which the print that used it ended, where the service learned of that later: its hub was away; null otherwise',
    ),
  ),
  created_at: timestamp('Time of the change in the ledger'),
})

export const DeletedMaterial = resource('DeletedMaterial', 'The material that is gone', {
  id: Type.String({ description: 'ID of the material' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export const AvailabilityBody = request({
  components: Type.Optional(
    Type.Array(
      request({
        component_type: text(1, 100, 'Type of the components; those of one type count together'),
        quantity_needed: Type.Integer({ minimum: 1, maximum: mostUnits, description: 'Pieces needed' }),
      }),
      {
        minItems: 1,
        maxItems: 100,
        description: 'Quantities needed, by type. At least one of components and items is given',
      },
    ),
  ),
  items: Type.Optional(
    Type.Array(
      request({
        id: idOf('material', 'ID of the component'),
        quantity: Type.Integer({ minimum: 1, maximum: mostUnits, description: 'Pieces needed' }),
      }),
      {
        minItems: 1,
        maxItems: 100,
        description: 'Quantities needed, by component; those of a component that is named twice are added',
      },
    ),
  ),
})
export type AvailabilityQuestion = Static<typeof AvailabilityBody>

export const Availability = resource('ComponentAvailability', 'Availability of components', {
  available: Type.Boolean({ description: 'Whether there is enough of each component' }),
  has_shortage: Type.Boolean({ description: 'Whether there is too little of any component' }),
  components: Type.Array(
    resource('ComponentTypeNeed', 'Components of one type', {
      component_type: Type.String({ description: 'The type' }),
      quantity_needed: Type.Integer({ description: 'Pieces needed' }),
      quantity_available: Type.Integer({ description: 'Number in stock of all components of this type' }),
      has_shortage: Type.Boolean({ description: 'Whether more are needed than are in stock' }),
      shortage_amount: Type.Integer({ description: 'Pieces that are missing; 0 when there are enough' }),
      component_id: nullable(
        Type.String({ description: 'The component of this type with the largest stock; null for none of this type' }),
      ),
    }),
    { description: 'Each type once' },
  ),
  items: Type.Array(
    resource('ComponentNeed', 'One component', {
      id: Type.String({ description: 'ID of the component' }),
      name: Type.String({ description: 'Its name' }),
      needed: Type.Integer({ description: 'Pieces needed' }),
      remaining: Type.Integer({ description: 'Number in stock' }),
      shortage: Type.Integer({ description: 'Missing pieces; 0 when there are enough' }),
    }),
    { description: 'Each component once' },
  ),
})
export type AvailabilityAnswer = Static<typeof Availability>

export function presentMaterial(row: MaterialRow, { margin, reserved: reservedOf }: SpoolClaims) {
  const { kind } = row
  const reserved = reservedOf[row.id] ?? 0
  return {
    id: row.id,
    type: row.type,
    color: row.color,
    brand: row.brand,
    diameter: row.diameter,
    ...(kind === 'filament'
      ? {
          hex_code: row.hex_code,
          remaining_grams: fromStored(kind, row.remaining),
          reserved_grams: fromStored(kind, reserved),
          available_grams: fromStored(kind, Math.max(0, row.remaining - reserved - margin)),
          spool_weight_grams: row.spool_weight === null ? null : fromStored(kind, row.spool_weight),
          printer_id: row.printer_id,
          slot: row.printer_id === null ? null : row.slot,
        }
      : { name: row.name, size: row.size, remaining_units: row.remaining }),
    low_threshold: fromStored(kind, row.low_threshold),
    status: row.status,
    location: row.location,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/**
 * @param actors names of those who did it, by `actor`
 * @param records names of jobs and parcels by their IDs
 */
export function presentMovement(
  kind: MaterialKind,
  row: MovementRow,
  actors: ReadonlyMap<string, string>,
  records: ReadonlyMap<string, RecordName>,
): Static<typeof MaterialMovement> {
  const parcel = records.get(row.shipment_id ?? '')
  return {
    id: row.id,
    reason: row.reason,
    change: fromStored(kind, row.change),
    quantity_before: fromStored(kind, row.quantity_before),
    quantity_after: fromStored(kind, row.quantity_after),
    shortage: fromStored(kind, row.shortage),
    job_id: row.job_id,
    job_name: records.get(row.job_id ?? '')?.name ?? null,
    attempt_id: row.attempt_id,
    assembly_task_id: row.assembly_task_id,
    shipment_id: row.shipment_id,
    order_id: parcel?.order_id ?? null,
    order_number: parcel?.name ?? null,
    notes: row.notes,
    actor: row.actor,
    actor_name: actors.get(row.actor) ?? null,
    happened_at: row.happened_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
