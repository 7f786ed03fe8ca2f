import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { envelope, failures, idParams, ok, page, pageEnvelope } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findFileUses } from '../file-uses.queries.ts'
import { findFile, listFiles, listFolders, listTags } from '../files.queries.ts'
import {
  FileFolders,
  FilesQuery,
  FileTags,
  FileUses,
  PrintFile,
  PrintFileDetail,
  presentFile,
} from '../files.schema.ts'
import { getFileDetail } from '../files.service.ts'
import { tags } from './file-answers.ts'

/** Lists the library, and reads one file of it with what uses it. */
export function readFileRoutes(app: App, context: Context): void {
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
}
