import Type from 'typebox'
import { maxFileBytes } from '../files/uploads.service.ts'
import { formBytes } from './octoprint-door.ts'
import { doorConfig as config, type SlicerDoor } from './slicer-door.ts'
import { readSlicerForm } from './slicer-form.ts'
import { receiveFromSlicer, selectFromSlicer, storeFromSlicer } from './slicers.service.ts'

const Start = Type.Object({ filename: Type.String({ minLength: 1, maxLength: 255 }) })

/**
 * The calls of Moonraker that slicers and uploaders send files by. It shows a Klipper that is ready: a farm takes files at
 * any time. What succeeds stands in `result`, but for the upload, whose answer Moonraker does not wrap.
 */
export const moonrakerDoor: SlicerDoor = {
  prefix: '/moonraker',
  refusal: ({ status, code }, sentence) => ({ error: { code: status, message: sentence, reason: code } }),
  routes(app, context, reader) {
    const root = { name: 'gcodes', path: '/gcodes', permissions: 'rw' }

    app.get('/server/info', { config }, async () => ({
      result: {
        klippy_connected: true,
        klippy_state: 'ready',
        components: ['file_manager', 'job_queue'],
        failed_components: [],
        registered_directories: [root.name],
        warnings: [],
        websocket_count: 0,
        moonraker_version: `v0.9.3-printyard-${context.version}`,
        api_version: [1, 5, 0],
        api_version_string: '1.5.0',
      },
    }))
    app.get('/printer/info', { config }, async () => ({
      result: {
        state: 'ready',
        state_message: 'Printer is ready',
        hostname: 'Printyard',
        software_version: 'v0.12.0',
        cpu_info: '',
      },
    }))
    app.get('/access/info', { config }, async () => ({
      result: { default_source: 'moonraker', available_sources: ['moonraker'], login_required: true, trusted: false },
    }))
    app.get('/server/files/roots', { config }, async () => ({ result: [root] }))

    app.post('/server/files/upload', { config, bodyLimit: formBytes(context) }, async (request, reply) => {
      const { actor } = request
      const { received, print } = await readSlicerForm(request, maxFileBytes(context), (fileName, content) =>
        receiveFromSlicer(context, actor, fileName, content),
      )
      const { name } = await storeFromSlicer(context, reader, actor, { upload_token: received, print })
      return reply.code(201).send({
        item: { path: name, root: root.name, permissions: root.permissions },
        action: 'create_file',
        // Which printer takes it, and when, is decided later.
        print_started: false,
        print_queued: print,
      })
    })

    app.post('/printer/print/start', { config, schema: { querystring: Start } }, async (request) => {
      await selectFromSlicer(context, request.actor, request.query.filename, true)
      return { result: 'ok' }
    })
  },
}
