import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context/context.ts'
import type { Sql, Transaction } from '../../db/database.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { readPage } from '../../http/cursor.ts'
import { answerOncePrepared } from '../../http/idempotency.ts'
import { contentPolicy } from '../../http/request/browser-headers.ts'
import { bodyFailures, envelope, failures, idParams, ok, page, pageEnvelope, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AccountId, PrintFileId } from '../../kernel/ids.ts'
import { workOf } from '../events/work.ts'
import { findFileUses } from './file-uses.queries.ts'
import { findCurrentContent, findFile, listFiles, listFolders, listTags, lockFile } from './files.queries.ts'
import {
  AddedVersion,
  bytes,
  DeletedFile,
  FileChanges,
  FileFolders,
  FilesQuery,
  FileTags,
  FileUses,
  NewFileBody,
  NewVersionBody,
  PrintFile,
  PrintFileDetail,
  presentAddedVersion,
  presentFile,
  VersionParams,
} from './files.schema.ts'
import {
  addFile,
  addVersion,
  changeFile,
  deleteFile,
  getFileDetail,
  type PreparedVersion,
  prepareVersion,
  requireRoomForVersion,
  selectVersion,
} from './files.service.ts'
import { createPrintFileReader } from './print-file-reader.ts'
import { sendContent } from './send-content.ts'
import { uploadRoutes } from './uploads.routes.ts'

const tags = ['Files']
const uploadFailures = ['FILE_NOT_UPLOADED', 'INVALID_FILE', 'STORAGE_FULL'] as const

export function fileRoutes(app: App, context: Context): void {
  const reader = createPrintFileReader()
  app.addHook('onClose', () => reader.close())

  uploadRoutes(app, context)

  app.post(
    '/files',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a print file that was uploaded',
        description:
          'The file is read for the data of the slicer on time, filament and printer. A file that is damaged or no print file is refused.',
        body: NewFileBody,
        response: {
          201: envelope(PrintFileDetail),
          ...failures(...uploadFailures, 'PRODUCT_NOT_FOUND', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerWithVersion(
        request,
        reply,
        () => prepareVersion(context, reader, request.actor, request.body),
        (sql, prepared) => addFile(context, workOf(context, request.actor, sql), prepared, request.body),
      ),
  )

  app.get(
    '/files',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List print files',
        description:
          'Each with the facts of its current version: print time in s, filament in g and m, model and nozzle in mm.',
        querystring: FilesQuery,
        response: { 200: pageEnvelope(PrintFile), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listFiles(context.db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentFile), meta)
    },
  )

  app.get(
    '/files/tags',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'List the tags of all print files',
        description: 'Each with its number of files.',
        response: { 200: envelope(FileTags), ...failures() },
      },
    },
    async ({ actor }) => ok({ tags: await listTags(context.db.sql, actor.accountId) }),
  )

  app.get(
    '/files/folders',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'List the folders of the library',
        description:
          'Each with the number of files directly in it. A folder exists while a file is in it, or in one below it.',
        response: { 200: envelope(FileFolders), ...failures() },
      },
    },
    async ({ actor }) => ok({ folders: await listFolders(context.db.sql, actor.accountId) }),
  )

  app.get(
    '/files/:id/uses',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'Get the recipes and jobs that use a print file',
        description: 'The recipes that print it, and how many jobs do or did.',
        params: idParams('printFile'),
        response: { 200: envelope(FileUses), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { sql } = context.db
      const [file, uses] = await Promise.all([
        findFile(sql, actor.accountId, params.id),
        findFileUses(sql, actor.accountId, params.id),
      ])
      if (!file) throw notFound('file')
      return ok(uses)
    },
  )

  app.get(
    '/files/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a print file with its versions',
        description:
          'The facts are those of the current version, which new jobs print; the versions come newest first.',
        params: idParams('printFile'),
        response: { 200: envelope(PrintFileDetail), ...failures('NOT_FOUND') },
      },
    },
    async (request) => ok(await getFileDetail(context.db.sql, request.actor.accountId, request.params.id)),
  )

  app.patch(
    '/files/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change the name, product, number of pieces, tags or folder of a print file',
        description:
          'Fields that are left out stay as they are. Existing jobs keep the values that they were queued with.',
        params: idParams('printFile'),
        body: FileChanges,
        response: {
          200: envelope(PrintFileDetail),
          ...failures('NOT_FOUND', 'PRODUCT_NOT_FOUND', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, (sql) => lockedFile(sql, actor.accountId, params.id))
      return ok(await changeFile(context, actor, params.id, body, begin))
    },
  )

  app.delete(
    '/files/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a print file',
        description: 'Refused while a job that is not finished prints it. Finished jobs keep its name and figures.',
        params: idParams('printFile'),
        response: { 200: envelope(DeletedFile), ...failures('NOT_FOUND', 'RESOURCE_IN_USE') },
      },
    },
    async (request) => {
      await deleteFile(context, request.actor, request.params.id)
      return ok({ id: request.params.id, deleted: true })
    },
  )

  app.post(
    '/files/:id/versions',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a version of a print file, which becomes the current one unless told otherwise',
        description: 'Jobs that exist keep the version they were made with.',
        params: idParams('printFile'),
        body: NewVersionBody,
        response: {
          201: envelope(AddedVersion),
          ...failures('NOT_FOUND', 'MAX_VERSIONS_REACHED', ...uploadFailures, ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerWithVersion(
        request,
        reply,
        async () => {
          await requireRoomForVersion(context.db.sql, request.actor.accountId, request.params.id)
          return prepareVersion(context, reader, request.actor, request.body)
        },
        async (sql, prepared) => {
          const work = workOf(context, request.actor, sql)
          const { notes = '', set_as_current } = request.body
          const version = { notes, isCurrent: set_as_current !== false }
          return presentAddedVersion(await addVersion(work, request.params.id, prepared, version))
        },
      ),
  )

  app.put(
    '/files/:id/versions/:version/current',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Set the current version of a print file',
        description: 'New jobs print it from now on. Jobs that exist keep the version they were made with.',
        params: VersionParams,
        response: { 200: envelope(PrintFileDetail), ...failures('NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const begin = beginIfMatch(context, request, reply, (sql) => lockedFile(sql, actor.accountId, params.id))
      return ok(await selectVersion(context, actor, params.id, Number(params.version), begin))
    },
  )

  app.get(
    '/files/:id/thumbnail',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the thumbnail of a print file',
        description: 'Thumbnail of the current version, as the slicer wrote it: PNG or JPEG. 404 when it wrote none.',
        params: idParams('printFile'),
        response: { 200: bytes(['image/png', 'image/jpeg'], 'The picture'), ...failures('NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const stored = await findCurrentContent(context.db.sql, request.actor.accountId, request.params.id)
      if (!stored) throw notFound('file')
      if (stored.thumbnail_sha256 === null || stored.thumbnail_mime === null) throw notFound('thumbnail')
      const { content, sizeBytes } = await context.files.read(stored.thumbnail_sha256)
      return reply
        .headers({
          'Content-Type': stored.thumbnail_mime,
          'Content-Length': sizeBytes,
          'Cache-Control': 'private, max-age=300',
          'Content-Security-Policy': contentPolicy,
        })
        .send(content)
    },
  )

  app.get(
    '/files/:id/content',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Download the current version of a print file',
        description:
          'Takes a single `Range` of bytes. Where the files are in an S3 store that clients reach, the answer is a redirect to a signed URL there.',
        params: idParams('printFile'),
        response: {
          200: bytes(['application/octet-stream'], 'The whole file'),
          206: bytes(['application/octet-stream'], 'The requested range'),
          304: { description: 'The client has these bytes already', type: 'null' },
          307: { description: 'The bytes are at the address in `Location` for some minutes', type: 'null' },
          ...failures('NOT_FOUND', 'RANGE_NOT_SATISFIABLE'),
        },
      },
    },
    async (request, reply) => {
      const stored = await findCurrentContent(context.db.sql, request.actor.accountId, request.params.id)
      if (!stored) throw notFound('file')
      return sendContent(context, request, reply, stored, { etag: `"${stored.version_id}"`, canRedirect: true })
    },
  )

  async function lockedFile(sql: Sql, accountId: AccountId, fileId: PrintFileId) {
    await lockFile(sql, accountId, fileId)
    return getFileDetail(sql, accountId, fileId)
  }

  async function answerWithVersion(
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
}
