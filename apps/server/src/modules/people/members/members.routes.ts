import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { failures, page, pageEnvelope, pageQuery, request } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { listMembers } from '../accounts/members.queries.ts'
import { Member, presentMember } from './members.schema.ts'

export function memberRoutes(app: App, context: Context): void {
  app.get(
    '/members',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Worklist'],
        summary: 'List the members of the account, the earliest first',
        description: 'For assigning tasks. Addresses of people are not shown to keys.',
        querystring: request(pageQuery),
        response: { 200: pageEnvelope(Member), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (bounds) =>
        listMembers(context.db.sql, request.actor.accountId, bounds),
      )
      return page(
        rows.map((row) => presentMember(row, request.actor)),
        meta,
      )
    },
  )
}
