import type { Context } from '../../context/context.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { readPage } from '../../http/cursor.ts'
import { answerOnce } from '../../http/idempotency.ts'
import { envelope, failures, ok, page, pageEnvelope, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { mapActorNames } from '../events/actor-names.queries.ts'
import { workOf } from '../events/work.ts'
import { removeUnreferenced } from '../files/content-references.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { listArticles, listCategories } from './wiki.queries.ts'
import {
  Article,
  ArticleActionParams,
  ArticleChangesBody,
  ArticleParams,
  ArticlesQuery,
  Category,
  DeletedArticle,
  ListedArticle,
  NewArticleBody,
  presentArticle,
  presentCategory,
  presentListedArticle,
  presentRevision,
  presentRevisionDetail,
  Revision,
  RevisionDetail,
  RevisionParams,
  WikiPageQuery,
} from './wiki.schema.ts'
import {
  changeArticle,
  createArticle,
  deleteArticle,
  getArticle,
  getRevision,
  listRevisionsOf,
  lockForChange,
  publishArticle,
  unpublishArticle,
} from './wiki.service.ts'

const tags = ['Wiki']

export function wikiRoutes(app: App, context: Context): void {
  app.post(
    '/wiki',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Write an article',
        description: 'It is not published yet. Without a slug it gets a free one, made from its title.',
        body: NewArticleBody,
        response: {
          201: envelope(Article),
          ...failures('PRODUCT_NOT_FOUND', 'SKU_NOT_FOUND', 'DUPLICATE_SLUG', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'wiki_articles')
        await requireRoom(context, sql, request.actor.accountId, 'wiki_revisions')
        return ok(presentArticle(await createArticle(workOf(context, request.actor, sql), request.body)))
      }),
  )

  app.get(
    '/wiki',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List articles, the newest first',
        description: 'Published or not, without `content` and `sections`: get an article to read it.',
        querystring: ArticlesQuery,
        response: { 200: pageEnvelope(ListedArticle), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listArticles(context.db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentListedArticle), meta)
    },
  )

  app.get(
    '/wiki/categories',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List the categories of articles by name',
        description: 'Categories that articles have now. A category is created by giving it to an article.',
        querystring: WikiPageQuery,
        response: { 200: pageEnvelope(Category), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listCategories(context.db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentCategory), meta)
    },
  )

  app.get(
    '/wiki/:idOrSlug',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get an article by its ID or slug',
        description: 'With its text and sections, published or not.',
        params: ArticleParams,
        response: { 200: envelope(Article), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => ok(presentArticle(await getArticle(context.db.sql, actor.accountId, params.idOrSlug))),
  )

  app.patch(
    '/wiki/:idOrSlug',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change an article',
        description:
          'Fields that are left out stay as they are; a new title does not change the slug. Each change is kept as a revision.',
        params: ArticleParams,
        body: ArticleChangesBody,
        response: {
          200: envelope(Article),
          ...failures(
            'NOT_FOUND',
            'PRODUCT_NOT_FOUND',
            'SKU_NOT_FOUND',
            'DUPLICATE_SLUG',
            'QUOTA_EXCEEDED',
            'PAYLOAD_TOO_LARGE',
            'UNSUPPORTED_MEDIA_TYPE',
          ),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) =>
        presentArticle(await lockForChange(sql, actor.accountId, params.idOrSlug, body)),
      )
      const article = await begin(async (sql) => {
        await requireRoom(context, sql, actor.accountId, 'wiki_revisions')
        return changeArticle(workOf(context, actor, sql), params.idOrSlug, body)
      })
      return ok(presentArticle(article))
    },
  )

  app.delete(
    '/wiki/:idOrSlug',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete an article with its revisions and pictures',
        description: 'For good. To take an article from its readers and keep it, take back its publication.',
        params: ArticleParams,
        response: { 200: envelope(DeletedArticle), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { id, contents } = await context.db.beginFor(actor.accountId, (sql) =>
        deleteArticle(workOf(context, actor, sql), params.idOrSlug),
      )
      await removeUnreferenced(context, contents)
      return ok({ id, deleted: true })
    },
  )

  app.post(
    '/wiki/:id/publish',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Publish an article',
        description: 'Stamps `published_at`. From then on it is shown with the assembly tasks of its SKU or product.',
        params: ArticleActionParams,
        response: { 200: envelope(Article), ...failures('NOT_FOUND', 'ALREADY_PUBLISHED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(presentArticle(await publishArticle(workOf(context, request.actor, sql), request.params.id))),
      ),
  )

  app.post(
    '/wiki/:id/unpublish',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Unpublish an article',
        description: 'It keeps its text; `published_at` is null again.',
        params: ArticleActionParams,
        response: { 200: envelope(Article), ...failures('NOT_FOUND', 'ALREADY_UNPUBLISHED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(presentArticle(await unpublishArticle(workOf(context, request.actor, sql), request.params.id))),
      ),
  )

  app.get(
    '/wiki/:id/revisions',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List the revisions of an article, the newest first',
        description:
          'Every change is kept, with the fields that it changed; the first one is the article as it was created.',
        params: ArticleActionParams,
        querystring: WikiPageQuery,
        response: { 200: pageEnvelope(Revision), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listRevisionsOf(context.db.sql, request.actor.accountId, request.params.id, filter),
      )
      const labels = rows.map(({ actor }) => actor)
      const names = await mapActorNames(context.db.sql, request.actor, labels)
      return page(
        rows.map((row) => presentRevision(row, names)),
        meta,
      )
    },
  )

  app.get(
    '/wiki/:id/revisions/:number',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a revision of an article',
        description: 'The whole text and its sections, as they stood after the change of this number.',
        params: RevisionParams,
        response: { 200: envelope(RevisionDetail), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { sql } = context.db
      const revision = await getRevision(sql, actor.accountId, params.id, Number(params.number))
      return ok(presentRevisionDetail(revision, await mapActorNames(sql, actor, [revision.actor])))
    },
  )
}
