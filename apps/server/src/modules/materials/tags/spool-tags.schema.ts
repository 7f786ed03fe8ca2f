import Type, { type Static } from 'typebox'
import { idOf, nullable, oneOf, request, resource, timestamp } from '../../../http/schema.ts'
import type { OpenPrintTag } from './open-print-tag.ts'
import { tagKinds } from './read-code.ts'
import type { SpoolTagRow } from './spool-tags.queries.ts'

/** More than the largest tag holds, in base64. */
const longestCode = 4_000

export const TagCodeBody = request({
  code: Type.String({
    minLength: 1,
    maxLength: longestCode,
    description:
      'Code that a reader or a printer gives: the UID of a chip, the `tag_uid` or `tray_uuid` of a Bambu printer, a UUID, or what an ' +
      'OpenPrintTag holds, in hexadecimal digits or base64',
    examples: ['E0:04:01:08:66:2F:6F:BC'],
  }),
  uid: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The UID of the chip that `code` was read from, where `code` is the content of the chip',
      examples: ['E0:04:01:08:66:2F:6F:BC'],
    }),
  ),
})

const SpoolTag = resource('SpoolTag', 'A tag on a spool', {
  id: Type.String({ description: 'ID of the tag', examples: ['stg_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  kind: oneOf(tagKinds, {
    description: 'uid: the number of a chip on the spool; uuid: that of the spool itself, which its chips hold',
  }),
  value: Type.String({
    description: 'The number, in hexadecimal digits without separators',
    examples: ['e0040108662f6fbc'],
  }),
  created_at: timestamp('Time at which it was put on the spool'),
})

export const SpoolTags = resource('SpoolTags', 'The tags of a spool', {
  tags: Type.Array(SpoolTag, { description: 'The oldest first' }),
})

export const ScannedTag = resource('ScannedTag', 'Contents of a tag', {
  material_id: nullable(Type.String({ description: 'The spool that it is on; null: on none of this account' })),
  tags: Type.Array(
    resource('ScannedTagNumber', 'A number by which the spool can be told apart', {
      kind: oneOf(tagKinds, { description: 'Kind of the tag, as in SpoolTag' }),
      value: Type.String({ description: 'Value of the tag, as in SpoolTag', examples: ['e0040108662f6fbc'] }),
    }),
    { description: 'Empty for an OpenPrintTag without an instance, read without its UID' },
  ),
  says: nullable(
    Type.Object(
      {
        type: nullable(Type.String({ description: 'Its material' })),
        color: nullable(Type.String({ description: 'Name by its maker', examples: ['PLA Prusa Galaxy Black'] })),
        hex_code: nullable(Type.String({ description: 'Its colour as #RRGGBB' })),
        brand: nullable(Type.String({ description: 'Its maker' })),
        diameter: nullable(Type.Number({ description: 'Its diameter in mm' })),
        spool_weight_grams: nullable(Type.Number({ description: 'Grams on the full spool' })),
        remaining_grams: nullable(Type.Number({ description: 'Grams left, as the tag says, which anyone can write' })),
      },
      { description: 'Data of the spool on an OpenPrintTag; null for other tags', additionalProperties: false },
    ),
  ),
})

export const TagParams = request({
  id: idOf('material', 'ID of the spool'),
  tag_id: idOf('spoolTag', 'ID of the tag'),
})

export const RemovedTag = resource('RemovedSpoolTag', 'The tag that is gone', {
  id: Type.String({ description: 'ID of the tag', examples: ['stg_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export function presentTags(rows: readonly SpoolTagRow[]): Static<typeof SpoolTags> {
  return {
    tags: rows.map(({ id, kind, value, created_at }) => ({ id, kind, value, created_at: created_at.toISOString() })),
  }
}

export function presentSaid(spool: OpenPrintTag['spool'] | undefined): Static<typeof ScannedTag>['says'] {
  if (spool === undefined) return null
  const { type, color, hex_code, brand, diameter, spool_weight_grams, remaining_grams } = spool
  return {
    type: type ?? null,
    color: color ?? null,
    hex_code: hex_code ?? null,
    brand: brand ?? null,
    diameter: typeof diameter === 'number' ? diameter : null,
    spool_weight_grams: spool_weight_grams ?? null,
    remaining_grams: remaining_grams ?? null,
  }
}
