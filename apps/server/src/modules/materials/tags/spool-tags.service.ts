import type { Sql } from '../../../db/database.ts'
import { AppError, notFound, validationError } from '../../../kernel/errors.ts'
import type { AccountId, MaterialId, SpoolTagId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { lockMaterials } from '../materials.queries.ts'
import type { OpenPrintTag } from './open-print-tag.ts'
import { readCode, type Tag } from './read-code.ts'
import { deleteTag, findTags, insertTag, listTags, type SpoolTagRow } from './spool-tags.queries.ts'

/** Two sides of two chips and stickers of one's own. */
const mostTags = 8

interface Scanned {
  materialId: MaterialId | null
  tags: Tag[]
  spool: OpenPrintTag['spool'] | undefined
}

/**
 * Answers which spool a tag is on. Where its numbers are on two spools, that of the spool itself counts: chips are stuck on others.
 *
 * @throws AppError `VALIDATION_ERROR` for what is no tag
 */
export async function scanTag(sql: Sql, accountId: AccountId, read: { code: string; uid?: string }): Promise<Scanned> {
  const { tags, spool } = readTags(read)
  const known = await findTags(sql, accountId, tags)
  const found = known.find(({ kind }) => kind === 'uuid') ?? known[0]
  return { materialId: found?.material_id ?? null, tags, spool }
}

/**
 * Puts a tag on a spool; again on the same one is no change.
 *
 * @throws AppError `NOT_FOUND`; `VALIDATION_ERROR` for what is no tag, or has nothing to tell a spool by, or is one too many;
 * `ALREADY_EXISTS` when it is on another spool
 */
export async function addTag(
  work: Work,
  materialId: MaterialId,
  read: { code: string; uid?: string },
): Promise<SpoolTagRow[]> {
  const { sql, accountId } = work
  const { tags } = readTags(read)
  if (tags.length === 0) {
    throw validationError({ uid: ['is needed: this tag has no number of its spool'] })
  }
  const [spool] = await lockMaterials(sql, accountId, 'filament', [materialId])
  if (!spool) throw notFound('spool')
  const known = await findTags(sql, accountId, tags)
  if (known.some((tag) => tag.material_id !== materialId)) throw new AppError('ALREADY_EXISTS', { resource: 'tag' })
  const added = tags.filter((tag) => !known.some(({ kind, value }) => kind === tag.kind && value === tag.value))
  const before = await listTags(sql, accountId, materialId)
  if (before.length + added.length > mostTags) {
    throw validationError({ code: [`a spool has at most ${mostTags} tags`] })
  }
  for (const tag of added) {
    // Another spool was given it a moment ago.
    if (!(await insertTag(work, materialId, tag))) throw new AppError('ALREADY_EXISTS', { resource: 'tag' })
  }
  if (added.length > 0) await recordTagChange(work, materialId)
  return listTags(sql, accountId, materialId)
}

/** @throws AppError `NOT_FOUND` */
export async function removeTag(work: Work, materialId: MaterialId, tagId: SpoolTagId): Promise<void> {
  const [spool] = await lockMaterials(work.sql, work.accountId, 'filament', [materialId])
  if (!spool || !(await deleteTag(work, materialId, tagId))) throw notFound('tag')
  await recordTagChange(work, materialId)
}

function readTags({ code, uid }: { code: string; uid?: string }) {
  const read = readCode(code)
  if (read === undefined) throw validationError({ code: ['is no tag that is known here'] })
  if (uid === undefined) return read
  const chip = readCode(uid)?.tags.filter(({ kind }) => kind === 'uid') ?? []
  if (chip.length === 0) throw validationError({ uid: ['is no number of a chip'] })
  const isSame = read.tags.some(({ kind, value }) => kind === 'uid' && value === chip[0]?.value)
  return { ...read, tags: isSame ? read.tags : [...read.tags, ...chip] }
}

async function recordTagChange(work: Work, materialId: MaterialId): Promise<void> {
  await work.record({
    type: 'material.updated',
    subjectId: materialId,
    data: { kind: 'filament', fields: ['tags'] },
  })
}
