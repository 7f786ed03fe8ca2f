import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../context/context.ts'
import { endSoon } from '../../http/request/end-soon.ts'
import type { App } from '../../http/types.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PrintFileReader } from '../files/print-file-reader.ts'
import { maxFileBytes } from '../files/uploads.service.ts'
import { digestChallenge, digestPassword } from '../people/guard/digest-login.ts'
import { doorConfig, printFileAddress, type SlicerDoor } from './slicer-door.ts'
import { getFileNamed, receiveFromSlicer, selectFromSlicer, storeFromSlicer } from './slicers.service.ts'

/** The only storage: what is sent goes to the files of the account. */
const storage = { name: 'local', path: '/local', type: 'LOCAL', read_only: false, available: true }
const config = { ...doorConfig, takesDigest: true } as const
const filePath = `/api/v1/files/:storage/*`
const InStorage = Type.Object({
  storage: Type.String({ maxLength: 255 }),
  '*': Type.String({ minLength: 1, maxLength: 1024 }),
})

/**
 * The calls of PrusaLink that slicers send files by: the version, by which they know it and that it takes a PUT, the
 * storages, and the upload with `Print-After-Upload` and `Overwrite`. Booleans in headers are those of RFC 8941.
 */
export const prusaLinkDoor: SlicerDoor = {
  prefix: '/prusalink',
  refusal: ({ status, code }, sentence) => ({ code: String(status), title: code, text: sentence }),
  dressRefusal(context, { headers }, reply) {
    if (reply.statusCode === 401) {
      reply.header('WWW-Authenticate', digestChallenge(context, headers.authorization))
    }
  },
  routes(app, context, reader) {
    app.get('/api/version', { config }, async () => ({
      api: '2.0.0',
      server: '2.1.2',
      text: `PrusaLink (Printyard ${context.version})`,
      hostname: 'printyard',
      capabilities: { 'upload-by-put': true },
    }))
    app.get('/digest', { config: doorConfig }, async ({ actor }, reply) => {
      const user = actor.label.replace(/^key:/, '')
      return reply.header('Cache-Control', 'no-store').send({ user, password: digestPassword(context, user) })
    })
    app.get('/api/v1/info', { config }, async () => ({ name: 'Printyard', location: '', hostname: 'printyard' }))
    app.get('/api/v1/status', { config }, async () => ({ printer: { state: 'IDLE' }, storage: [storage] }))
    app.get('/api/v1/storage', { config }, async () => ({ storage_list: [storage] }))

    app.get(filePath, { config, schema: { params: InStorage } }, async (request) => {
      const name = nameIn(request.params)
      const fileId = await getFileNamed(context.db.sql, request.actor.accountId, name)
      return {
        name,
        display_name: name,
        type: 'PRINT_FILE',
        refs: { download: printFileAddress(context, request, fileId) },
      }
    })
    app.post(filePath, { config, schema: { params: InStorage } }, async (request, reply) => {
      await selectFromSlicer(context, request.actor, nameIn(request.params), true)
      return reply.code(204).send()
    })
    void app.register(async (plugin) => uploadRoute(plugin as App, context, reader))
  },
}

/** In a plugin of its own, because here a body of any type is handed over as the stream that it is. */
function uploadRoute(app: App, context: Context, reader: PrintFileReader): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.put(
    filePath,
    { config, bodyLimit: maxFileBytes(context), schema: { params: InStorage } },
    async (request, reply) => {
      const { actor, raw } = request
      try {
        const name = nameIn(request.params)
        const content = (request.body as Readable | undefined) ?? raw
        const token = await receiveFromSlicer(context, actor, name, content, lengthOf(raw))
        const { fileId } = await storeFromSlicer(context, reader, actor, {
          upload_token: token,
          print: isTrue(request, 'print-after-upload'),
          overwrite: isTrue(request, 'overwrite'),
        })
        const refs = { download: printFileAddress(context, request, fileId) }
        return reply.code(201).send({ name, display_name: name, type: 'PRINT_FILE', refs })
      } catch (error) {
        endSoon(raw)
        throw error
      }
    },
  )
}

/** Print files lie in no folders: of a path the last part counts. */
function nameIn(params: { storage: string; '*': string }): string {
  const name = params['*'].split('/').at(-1)
  if (params.storage !== storage.name || !name) throw new AppError('NOT_FOUND', { resource: 'storage or file' })
  return name
}

function isTrue({ headers }: FastifyRequest, header: string): boolean {
  return headers[header] === '?1'
}

function lengthOf({ headers }: IncomingMessage): number | undefined {
  return headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
}
