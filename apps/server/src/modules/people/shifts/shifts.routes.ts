import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { bodyFailures, envelope, failures, idParams, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { personOf } from '../../../kernel/actor.ts'
import { workOf } from '../../events/work.ts'
import { lockMembership } from '../accounts/people.queries.ts'
import { findShiftZone, listRoster } from './shifts.queries.ts'
import { presentMemberShifts, presentShifts, Shifts, ShiftsBody, ShiftsOfMember, SwitchBody } from './shifts.schema.ts'
import { changeShifts, getRostered, switchShift } from './shifts.service.ts'

/** Routes that tell who is on shift, for people of the account. */
export function shiftRoutes(routes: App, context: Context): void {
  routes.get(
    '/shifts',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Get the members on shift, and all shifts',
        response: { 200: envelope(Shifts), ...failures('FORBIDDEN') },
      },
    },
    async ({ actor: { accountId } }) => {
      const { sql } = context.db
      return ok(
        presentShifts(await listRoster(sql, accountId), await findShiftZone(sql, accountId), context.clock.now()),
      )
    },
  )

  routes.put(
    '/members/:id/shifts',
    {
      config: { scope: 'write' },
      schema: {
        summary: 'Set the shifts of a member',
        description: 'People set their own; owners and admins those of all.',
        params: idParams('member'),
        body: ShiftsBody,
        response: {
          200: envelope(ShiftsOfMember),
          ...failures('NOT_FOUND', 'FORBIDDEN', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockMembership(sql, actor.accountId)
        const member = await getRostered({ sql, accountId: actor.accountId }, params.id)
        return presentMemberShifts(member, await findShiftZone(sql, actor.accountId), context.clock.now())
      })
      return begin(async (sql) => {
        await lockMembership(sql, actor.accountId)
        const work = workOf(context, actor, sql)
        const member = await changeShifts(work, personOf(actor), params.id, body.shifts)
        return ok(presentMemberShifts(member, await findShiftZone(sql, actor.accountId), work.now))
      })
    },
  )

  routes.post(
    '/shifts/switch',
    {
      config: { scope: 'write' },
      schema: {
        summary: 'Switch the person on or off shift for a while',
        description: 'Overrides the weekly shifts of the person who asks. It ends by itself.',
        body: SwitchBody,
        response: { 201: envelope(ShiftsOfMember), ...failures('FORBIDDEN', 'ORIGIN_REFUSED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        const { actor, body } = request
        const work = workOf(context, actor, sql)
        const to = { isOn: body.is_on, until: new Date(body.until) }
        const member = await switchShift(work, personOf(actor), to)
        return ok(presentMemberShifts(member, await findShiftZone(sql, actor.accountId), work.now))
      }),
  )

  routes.delete(
    '/shifts/switch',
    {
      config: { scope: 'write' },
      schema: {
        summary: 'Return to the weekly shifts',
        response: { 200: envelope(ShiftsOfMember), ...failures('FORBIDDEN', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor }) =>
      context.db.beginFor(actor.accountId, async (sql) => {
        const work = workOf(context, actor, sql)
        const member = await switchShift(work, personOf(actor), null)
        return ok(presentMemberShifts(member, await findShiftZone(sql, actor.accountId), work.now))
      }),
  )
}
