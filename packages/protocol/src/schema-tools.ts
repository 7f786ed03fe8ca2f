import Type, { type TSchema, type TUnsafe } from 'typebox'

/** One of these texts, as a JSON Schema `enum`: a union of literals would give one validation error per member. */
export function oneOf<const T extends string[]>(...values: T): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: values })
}

/** The value or null. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}
