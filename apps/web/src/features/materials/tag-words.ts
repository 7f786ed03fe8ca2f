import type { SpoolTags } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'

type SpoolTag = SpoolTags['tags'][number]

export const tagKindWords: Record<SpoolTag['kind'], string> = {
  uid: t('A chip on the spool'),
  uuid: t('The spool itself, as its chips say'),
}

/** The number as it is printed on chips and shown by readers: `E0:04:01:08` of a chip, in groups as UUIDs are written of a spool. */
export function tagNumberWords({ kind, value }: Pick<SpoolTag, 'kind' | 'value'>): string {
  if (kind === 'uid') return (value.match(/../g) ?? []).join(':').toUpperCase()
  return value.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
