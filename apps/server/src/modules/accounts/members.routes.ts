import Type from 'typebox'
import type { Context } from '../../context.ts'
import { readPage } from '../../http/cursor.ts'
import { failures, oneOf, page, pageEnvelope, pageQuery, request, resource, timestamp } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { roles } from '../../policy.ts'
import { listMembers } from './members.queries.ts'

const Member = resource('Member', 'A person who works with the account', {
  user_id: Type.String({ description: 'What `assigned_to` of tasks takes' }),
  name: Type.String({ description: 'Name as the person gave it; empty when none was given' }),
  role: oneOf(roles, { description: 'What the person may do' }),
  created_at: timestamp('When the person joined the account'),
})

export function memberRoutes(app: App, context: Context): void {
  app.get(
    '/members',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Worklist'],
        summary: 'List the members of the account, those who joined first first',
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
        rows.map(({ user_id, name, role, created_at }) => ({
          user_id,
          name,
          role,
          created_at: created_at.toISOString(),
        })),
        meta,
      )
    },
  )
}
