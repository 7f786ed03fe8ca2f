import { api } from '../../lib/api/api.ts'
import { asApiError } from '../../lib/api/api-error.ts'

/** What was read of a tag that is on no spool. */
export interface UnknownTag {
  code: string
  /** Whether it has a number that tells its spool from others; an OpenPrintTag may have none. */
  isOneOfAKind: boolean
  /** What an OpenPrintTag says of its spool; null for other tags. */
  says: Awaited<ReturnType<typeof scanTag>>['says']
}

const scanTag = (code: string) => api.call('POST /materials/filament/scan', { body: { code } })

/** The spool that a tag is on, or what the tag says; undefined for what is no tag. */
export async function readTag(code: string): Promise<{ spoolId: string } | UnknownTag | undefined> {
  try {
    const { material_id: spoolId, tags, says } = await scanTag(code)
    return spoolId === null ? { code, isOneOfAKind: tags.length > 0, says } : { spoolId }
  } catch (error) {
    if (asApiError(error)?.code === 'VALIDATION_ERROR') return undefined
    throw error
  }
}

export const putTagOn = (spoolId: string, code: string) =>
  api.call('POST /materials/filament/{id}/tags', { params: { id: spoolId }, body: { code } })
