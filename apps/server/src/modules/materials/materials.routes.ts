import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { readPage } from '../../http/cursor.ts'
import { answerOnce } from '../../http/idempotency.ts'
import {
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  page,
  pageEnvelope,
  pageQuery,
  postFailures,
  request,
} from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import { namesOfMovements } from '../events/record-names.queries.ts'
import { workOf } from '../events/work.ts'
import { findPrinterPlace } from '../printers/printer-control.queries.ts'
import { sendPrinterSettings } from '../printers/send-settings.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { readSpoolClaims, type SpoolClaims } from './filament-reservations.queries.ts'
import { keepFilamentTasks } from './filament-tasks.ts'
import { kindWords, type MaterialKind, materialKinds } from './material-kinds.ts'
import { listMaterialMovements, listMaterials, lockMaterials, type MaterialRow } from './materials.queries.ts'
import {
  Availability,
  AvailabilityBody,
  consumeBody,
  consumedAnswer,
  DeletedMaterial,
  MaterialMovement,
  materialAnswer,
  materialChangesBody,
  materialsQuery,
  newMaterialBody,
  presentConsumed,
  presentMaterial,
  presentMovement,
  quantityBody,
} from './materials.schema.ts'
import {
  addMaterial,
  changeMaterial,
  checkAvailability,
  getMaterial,
  moveQuantity,
  removeMaterial,
} from './materials.service.ts'

const tags = ['Materials']

export function materialRoutes(app: App, context: Context): void {
  for (const kind of materialKinds) routesOfKind(app, context, kind)

  app.post(
    '/materials/components/check-availability',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Check whether there is enough of some components',
        description: 'Nothing is reserved.',
        body: AvailabilityBody,
        response: { 200: envelope(Availability), ...failures(...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(await checkAvailability(sql, request.actor.accountId, request.body)),
      ),
  )
}

function routesOfKind(app: App, context: Context, kind: MaterialKind): void {
  const { one } = kindWords[kind]
  const Material = materialAnswer(kind)
  const aMaterial = kind === 'packaging' ? 'packaging' : `a ${one}`
  const path = `/materials/${kind}`

  app.post(
    path,
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: `Add ${aMaterial}`,
        description: 'The initial quantity is booked as the first movement.',
        body: newMaterialBody(kind),
        response: { 201: envelope(Material), ...failures('QUOTA_EXCEEDED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'materials')
        return ok(
          await showMaterial(
            sql,
            request.actor,
            await addMaterial(workOf(context, request.actor, sql), kind, request.body),
          ),
        )
      }),
  )

  app.get(
    path,
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: `List the ${kind}, the newest first`,
        description:
          'With the quantity left, the low-stock threshold and the place. `low_stock` finds those that are low or used up.',
        querystring: materialsQuery(kind),
        response: { 200: pageEnvelope(Material), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listMaterials(context.db.sql, request.actor.accountId, kind, filter),
      )
      const claims = await readClaims(context.db.sql, request.actor.accountId, rows)
      return page(
        rows.map((row) => presentMaterial(row, claims)),
        meta,
      )
    },
  )

  app.get(
    `${path}/:id`,
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: `Get ${aMaterial}`,
        description: 'With the quantity left now, less everything that prints and people used.',
        params: idParams('material'),
        response: { 200: envelope(Material), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) =>
      ok(
        await showMaterial(context.db.sql, actor, await getMaterial(context.db.sql, actor.accountId, kind, params.id)),
      ),
  )

  app.patch(
    `${path}/:id`,
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: `Change ${aMaterial}`,
        description:
          'Fields that are left out stay as they are. A remaining quantity is booked as a correction.' +
          (kind === 'filament'
            ? ' With `printer_id` the spool is loaded, and the printer shows its filament; the former spool of the slot is unloaded.'
            : ''),
        params: idParams('material'),
        body: materialChangesBody(kind),
        response: {
          200: envelope(Material),
          ...failures('NOT_FOUND', ...(kind === 'filament' ? (['PRINTER_NOT_FOUND'] as const) : []), ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockMaterials(sql, actor.accountId, kind, [params.id])
        return showMaterial(sql, actor, await getMaterial(sql, actor.accountId, kind, params.id))
      })
      const before = await getMaterial(context.db.sql, actor.accountId, kind, params.id)
      const after = await begin((sql) => changeMaterial(workOf(context, actor, sql), kind, params.id, body))
      await sendToHubs(context, actor.accountId, [before.printer_id, after.printer_id])
      if (after.printer_id !== null && after.printer_id !== before.printer_id) {
        await keepFilamentTasks(context, actor.accountId)
      }
      return ok(await showMaterial(context.db.sql, actor, after))
    },
  )

  app.delete(
    `${path}/:id`,
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: `Delete ${aMaterial}`,
        description:
          'Its movements are deleted with it. Refused for a spool that is loaded or printed from, and for a material that a bill of materials names.',
        params: idParams('material'),
        response: {
          200: envelope(DeletedMaterial),
          ...failures('NOT_FOUND', ...(kind === 'parts' ? [] : (['RESOURCE_IN_USE'] as const))),
        },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, (sql) => removeMaterial(workOf(context, actor, sql), kind, params.id))
      return ok({ id: params.id, deleted: true })
    },
  )

  app.post(
    `${path}/:id/consume`,
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: `Book usage of ${aMaterial}`,
        description:
          'Booked as a movement. Refused when more is taken than is in stock; usage by prints is booked automatically.',
        params: idParams('material'),
        body: consumeBody(kind),
        response: {
          200: envelope(consumedAnswer(kind)),
          ...failures('NOT_FOUND', 'INSUFFICIENT_QUANTITY', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const { actor, params, body } = request
        const work = workOf(context, actor, sql)
        const movement = { ...body, reason: 'consumed' as const }
        const material = await moveQuantity(work, kind, params.id, movement)
        return ok(presentConsumed(material, await readClaims(sql, actor.accountId, [material]), body))
      }),
  )

  app.post(
    `${path}/:id/restock`,
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: `Restock ${aMaterial}`,
        description: 'Booked as a movement. For a count or a weighing change the remaining quantity instead.',
        params: idParams('material'),
        body: quantityBody(kind),
        response: { 200: envelope(Material), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const { actor, params, body } = request
        const work = workOf(context, actor, sql)
        const movement = { ...body, reason: 'restocked' as const }
        return ok(await showMaterial(sql, actor, await moveQuantity(work, kind, params.id, movement)))
      }),
  )

  app.get(
    `${path}/:id/movements`,
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: `List the movements of ${aMaterial}, the latest first`,
        description: 'The changes add up to what remains.',
        params: idParams('material'),
        querystring: request(pageQuery),
        response: { 200: pageEnvelope(MaterialMovement), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const { actor, params } = request
      await getMaterial(context.db.sql, actor.accountId, kind, params.id)
      const { rows, meta } = await readPage(context, request, (bounds) =>
        listMaterialMovements(context.db.sql, actor.accountId, params.id, bounds),
      )
      const names = await namesOfMovements(context.db.sql, actor, rows, (row) => [row.job_id, row.shipment_id])
      return page(
        rows.map((row) => presentMovement(kind, row, names.actors, names.records)),
        meta,
      )
    },
  )
}

async function showMaterial(sql: Sql, { accountId }: Pick<Actor, 'accountId'>, row: MaterialRow) {
  return presentMaterial(row, await readClaims(sql, accountId, [row]))
}

/** Only of spools anything is reserved. */
async function readClaims(sql: Sql, accountId: AccountId, rows: readonly MaterialRow[]): Promise<SpoolClaims> {
  const spools = rows.flatMap(({ kind, id }) => (kind === 'filament' ? [id] : []))
  return spools.length === 0 ? { margin: 0, reserved: {} } : readSpoolClaims(sql, accountId, spools)
}

/** A hub knows the filament of its printers. */
async function sendToHubs(context: Context, accountId: AccountId, printerIds: (PrinterId | null)[]): Promise<void> {
  const places = await Promise.all(
    [...new Set(printerIds)].map((id) => (id === null ? undefined : findPrinterPlace(context.db.sql, accountId, id))),
  )
  for (const hubId of new Set(places.map((place) => place?.hub_id))) {
    if (hubId) await sendPrinterSettings(context, accountId, hubId)
  }
}
