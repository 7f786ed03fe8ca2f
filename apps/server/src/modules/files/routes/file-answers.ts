import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Sql, Transaction } from '../../../db/database.ts'
import { answerOncePrepared } from '../../../http/idempotency.ts'
import { ok } from '../../../http/schema.ts'
import type { AccountId, PrintFileId } from '../../../kernel/ids.ts'
import { lockFile } from '../files.queries.ts'
import { getFileDetail, type PreparedVersion } from '../files.service.ts'

export const tags = ['Files']

export const uploadFailures = ['FILE_NOT_UPLOADED', 'INVALID_FILE', 'STORAGE_FULL'] as const

/** The file as it stays until the transaction ends. */
export async function lockFileDetail(sql: Sql, accountId: AccountId, fileId: PrintFileId) {
  await lockFile(sql, accountId, fileId)
  return getFileDetail(sql, accountId, fileId)
}

/** Answers once with what `effect` makes of an upload, which `prepare` reads outside of its transaction. */
export async function answerWithVersion(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  prepare: () => Promise<PreparedVersion>,
  effect: (sql: Transaction, prepared: PreparedVersion) => Promise<object>,
): Promise<void> {
  let prepared: PreparedVersion | undefined
  try {
    await answerOncePrepared(
      context,
      request,
      reply,
      201,
      async () => {
        prepared = await prepare()
        return prepared
      },
      async (sql, version) => ok(await effect(sql, version)),
    )
  } finally {
    await prepared?.thumbnail?.discard()
  }
}
