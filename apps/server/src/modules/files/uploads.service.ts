import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { tooLarge } from '../../file-store/spool.ts'
import { oneGiven } from '../../http/request/one-given.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, validationError } from '../../kernel/errors.ts'
import { hashSecret } from '../../kernel/hash-secret.ts'
import { newId, type PrintFileId } from '../../kernel/ids.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { listUnreferenced, lockContent, removeUnreferenced } from './content-references.ts'
import {
  deleteExpiredUploads,
  findUploadByToken,
  insertUpload,
  recordReceived,
  type UploadRow,
} from './uploads.queries.ts'

/** Time that an upload address lives. */
const tokenLifeMs = 60 * 60 * 1000

/** An upload that ended late may still be used for this long. */
const useWithinMs = 10 * 60 * 1000

/** What is still on its way after this is not sent by anyone any more. */
const abandonedAfterMs = 24 * 60 * 60 * 1000

const tokenForm = /^[0-9a-f]{64}$/

/** A name without a path in it, ending in what we know. */
const fileNameForm = /^[^/\\\p{Cc}]+\.(gcode|gco|g|3mf|bgcode|ufp|stl|obj|amf)$/iu

export function maxFileBytes(context: Context): number {
  return context.config.maxFileMb * 1_000_000
}

/** What is told of a new upload address. */
interface UploadAddress {
  file_id: PrintFileId
  token: string
  storage_key: string
  expires_in: number
  expires_at: Date
  max_bytes: number
}

export async function createUpload(
  context: Context,
  sql: Sql,
  actor: Actor,
  input: { filename: string; size_bytes?: number },
): Promise<UploadAddress> {
  const maxBytes = maxFileBytes(context)
  if (!fileNameForm.test(input.filename)) {
    throw validationError({
      filename: ['must be a file name ending in .gcode, .gco, .g, .3mf, .bgcode, .ufp, .stl, .obj or .amf'],
    })
  }
  if (input.size_bytes !== undefined && input.size_bytes > maxBytes) {
    throw validationError({ size_bytes: [`must be at most ${maxBytes}`] })
  }
  await requireRoom(context, sql, actor.accountId, 'uploads')
  await requireRoom(context, sql, actor.accountId, 'storage_mb', megabytes(input.size_bytes ?? 0))
  const token = randomBytes(32).toString('hex')
  const now = context.clock.now()
  const expiresAt = new Date(now.getTime() + tokenLifeMs)
  const fileId = newId('printFile', now.getTime())
  await insertUpload(sql, actor.accountId, {
    id: newId('upload', now.getTime()),
    token_hash: hashSecret(token),
    file_id: fileId,
    file_name: input.filename,
    expected_bytes: input.size_bytes ?? null,
    expires_at: expiresAt,
    created_at: now,
  })
  return {
    file_id: fileId,
    token,
    storage_key: `${token}/${input.filename}`,
    expires_in: tokenLifeMs / 1000,
    expires_at: expiresAt,
    max_bytes: maxBytes,
  }
}

/** The token of an upload by which a file is added: given itself, or as the first part of a storage key. */
export function tokenOf(input: { upload_token?: string; storage_key?: string }): string {
  return oneGiven(input, 'upload_token', 'storage_key').split('/', 1)[0] ?? ''
}

const megabytes = (bytes: number) => bytes / 1_000_000

/** The upload that a token opens, while it may still be filled. */
export async function getOpenUpload(context: Context, token: string): Promise<UploadRow> {
  const upload = tokenForm.test(token) ? await findUploadByToken(context.db.sql, hashSecret(token)) : undefined
  // What came late may be used a little longer; the address itself ends with its hour, however often it was filled.
  const endsAtMs = (upload?.created_at.getTime() ?? 0) + tokenLifeMs
  const now = context.clock.now()
  if (!upload || upload.state === 'used' || upload.expires_at <= now || endsAtMs <= now.getTime()) {
    throw new AppError('UPLOAD_TOKEN_INVALID')
  }
  return upload
}

/**
 * Takes the bytes of an upload in, replacing those of an earlier PUT. Of two at the same time the one that ends last
 * stands, whole. `contentLength` is undefined when the client did not say it.
 */
export async function receiveUpload(
  context: Context,
  upload: UploadRow,
  content: Readable,
  contentLength: number | undefined,
): Promise<{ size_bytes: number }> {
  // More than was announced is refused like more than is allowed, before the first byte if the client says how much.
  const maxBytes = Math.min(maxFileBytes(context), upload.expected_bytes ?? Number.POSITIVE_INFINITY)
  if (contentLength !== undefined && contentLength > maxBytes) throw tooLarge(maxBytes)
  const expectedBytes = upload.expected_bytes ?? contentLength
  await requireRoom(context, context.db.sql, upload.account_id, 'storage_mb', megabytes(expectedBytes ?? 0))
  const received = await context.files.receive(content, {
    maxBytes,
    ...(expectedBytes !== undefined && { expectedBytes }),
  })
  try {
    if (received.sizeBytes === 0) throw validationError({ _root: ['must not be empty'] })
    const former = await context.db.beginFor(upload.account_id, async (sql) => {
      await requireRoom(context, sql, upload.account_id, 'storage_mb', megabytes(received.sizeBytes))
      await lockContent(sql, received.sha256)
      const noted = await recordReceived(sql, upload.account_id, upload.id, {
        ...received,
        usableUntil: new Date(context.clock.now().getTime() + useWithinMs),
      })
      if (!noted) throw new AppError('UPLOAD_TOKEN_INVALID')
      await received.keep()
      return noted.former_sha256
    })
    if (former !== received.sha256) await removeUnreferenced(context, [former])
  } finally {
    await received.discard()
  }
  return { size_bytes: received.sizeBytes }
}

/**
 * Forgets uploads that expired unused, and removes content that nothing refers to, whatever left it behind. The hour of
 * grace is for an upload that is still running when its address expires.
 */
export async function removeStaleUploads(context: Context): Promise<void> {
  const expiredBefore = new Date(context.clock.now().getTime() - tokenLifeMs)
  for (let rows = 1000; rows === 1000; ) {
    const stale = await deleteExpiredUploads(context.db.sql, expiredBefore)
    await removeUnreferenced(
      context,
      stale.map((row) => row.sha256),
    )
    rows = stale.length
  }
  await context.files.removeAbandoned(new Date(context.clock.now().getTime() - abandonedAfterMs))
  for await (const hashes of context.files.listPages()) {
    const orphans = await listUnreferenced(context.db.sql, hashes)
    if (orphans.length > 0) context.log.info({ count: orphans.length }, 'removing stored files that nothing refers to')
    await removeUnreferenced(context, orphans)
  }
}
