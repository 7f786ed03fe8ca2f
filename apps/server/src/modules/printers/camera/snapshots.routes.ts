import type { Context } from '../../../context/context.ts'
import { contentPolicy } from '../../../http/request/browser-headers.ts'
import { failures, idParams } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { bytes } from '../../files/files.schema.ts'
import { createSnapshots } from './snapshots.service.ts'

export function snapshotRoutes(app: App, context: Context): void {
  const snapshots = context.memory.hold(createSnapshots, context)

  app.get(
    '/printers/:id/snapshot',
    {
      config: { scope: 'read', tagged: true, waitsForOthers: true },
      schema: {
        tags: ['Printers'],
        summary: 'Get a picture from the camera of a printer',
        description:
          'One JPEG, at most a second old: requests in that time share it, and the printer is asked by one connection. ' +
          'COMMAND_NOT_SUPPORTED when the printer has no camera that gives single pictures, or it is switched off. When ' +
          'there is no picture for now, HUB_COMMAND_FAILED gives the reason in `details.reason`: `camera_unreachable`, `camera_refused`, `printer_unreachable`, `timeout`, ' +
          '`not_a_picture`, `too_large`.',
        params: idParams('printer'),
        response: {
          200: bytes(['image/jpeg'], 'The picture'),
          304: { description: 'The client has this picture already', type: 'null' },
          ...failures('NOT_FOUND', 'NO_HUB_ASSIGNED', 'HUB_OFFLINE', 'COMMAND_NOT_SUPPORTED', 'HUB_COMMAND_FAILED'),
        },
      },
    },
    async (request, reply) => {
      const still = await snapshots.take(request.actor.accountId, request.params.id)
      return reply
        .headers({
          'Content-Type': 'image/jpeg',
          'Cache-Control': 'private, max-age=1',
          'Content-Security-Policy': contentPolicy,
        })
        .send(still)
    },
  )
}
