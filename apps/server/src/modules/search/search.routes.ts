import Type from 'typebox'
import type { Context } from '../../context/context.ts'
import { answer, envelope, failures, nullable, ok, oneOf, request, resource, text } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { hitKinds, searchAll } from './search.service.ts'

const SearchGroup = resource('SearchGroup', 'Things of one kind that a search found', {
  kind: oneOf(hitKinds, { description: 'Kind of the hits' }),
  hits: Type.Array(
    answer(
      {
        id: Type.String({ description: 'Its ID', examples: ['prn_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
        title: Type.String({ description: 'Name, number or code' }),
        detail: Type.String({
          description: 'Detail that tells it from others of the same name; may be empty',
          examples: ['MK4S, Cellar'],
        }),
        status: nullable(
          Type.String({
            description: 'Status of a job or an order, role of a person; else null',
            examples: ['queued'],
          }),
        ),
      },
      { description: 'A thing that was found' },
    ),
    { description: 'Matches, at most five, the closest first' },
  ),
  has_more: Type.Boolean({ description: 'Whether the list of the kind has more of them' }),
})

/** Routes for what a person looks for in the whole dashboard at once. */
export function searchRoutes(app: App, context: Context): void {
  app.get(
    '/search',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Find printers, jobs, orders, products, SKUs, files, articles and people by some words',
        description:
          'Each word is in the name or in what stands beside it, in any case; an ID finds itself. Orders are found by words that ' +
          'begin so, as in their list. Of the newest 20,000 of a kind, and of jobs those that are not over and the newest 5,000. ' +
          'People are found by owners and admins alone.',
        querystring: request({ q: text(1, 120, 'Words to search for') }),
        response: {
          200: envelope(Type.Array(SearchGroup, { description: 'Kinds of which something was found' })),
          ...failures(),
        },
      },
    },
    async ({ actor, query }) => {
      const sought = query.q.trim()
      return ok(sought === '' ? [] : await searchAll(context, actor, sought))
    },
  )
}
