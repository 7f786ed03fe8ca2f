// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on wiki. */
export class Wiki {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List articles, the newest first.
   *
   * Published or not, without `content` and `sections`: get an article to read it.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listArticles`.
   */
  list(query?: Query<api.ListArticlesData>, options?: RequestOptions): List<api.ListArticlesResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/wiki', query, options })
  }

  /**
   * Write an article.
   *
   * It is not published yet. Without a slug it gets a free one, made from its title.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createArticle`.
   */
  create(body: Body<api.CreateArticleData>, options?: RequestOptions): Call<api.CreateArticleResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/wiki', json: body, options })
  }

  /**
   * List the categories of articles by name.
   *
   * Categories that articles have now. A category is created by giving it to an article.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listArticleCategories`.
   */
  listCategories(query?: Query<api.ListArticleCategoriesData>, options?: RequestOptions): List<api.ListArticleCategoriesResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/wiki/categories', query, options })
  }

  /**
   * Get an article by its ID or slug.
   *
   * With its text and sections, published or not.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getArticle`.
   */
  get(idOrSlug: string, options?: RequestOptions): Call<api.GetArticleResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/wiki/${encodeURIComponent(idOrSlug)}`, options })
  }

  /**
   * Change an article.
   *
   * Fields that are left out stay as they are; a new title does not change the slug. Each change is kept as a revision.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateArticle`.
   */
  update(idOrSlug: string, body: Body<api.UpdateArticleData>, options?: RequestOptions): Call<api.UpdateArticleResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/wiki/${encodeURIComponent(idOrSlug)}`, json: body, options })
  }

  /**
   * Delete an article with its revisions and pictures.
   *
   * For good. To take an article from its readers and keep it, take back its publication.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteArticle`.
   */
  delete(idOrSlug: string, options?: RequestOptions): Call<api.DeleteArticleResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/wiki/${encodeURIComponent(idOrSlug)}`, options })
  }

  /**
   * Add a picture to an article.
   *
   * A form with one file in the field `image`: JPEG, PNG, WebP or GIF, recognised by its content, at most 5 MB and 50 million pixels. Its address goes into `image_url` of a section or into the text. At most 200 for an article; they are deleted with it, since its revisions show them.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createArticleImage`.
   */
  createImage(id: string, body: Body<api.CreateArticleImageData>, options?: RequestOptions): Call<api.CreateArticleImageResponses[201]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/wiki/${encodeURIComponent(id)}/images`, form: body, options })
  }

  /**
   * Publish an article.
   *
   * Stamps `published_at`. From then on it is shown with the assembly tasks of its SKU or product.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `publishArticle`.
   */
  publish(id: string, options?: RequestOptions): Call<api.PublishArticleResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/wiki/${encodeURIComponent(id)}/publish`, options })
  }

  /**
   * List the revisions of an article, the newest first.
   *
   * Every change is kept, with the fields that it changed; the first one is the article as it was created.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listArticleRevisions`.
   */
  listRevisions(id: string, query?: Query<api.ListArticleRevisionsData>, options?: RequestOptions): List<api.ListArticleRevisionsResponses[200]> {
    return this.connection.list({ method: 'GET', path: `/public/v1/wiki/${encodeURIComponent(id)}/revisions`, query, options })
  }

  /**
   * Get a revision of an article.
   *
   * The whole text and its sections, as they stood after the change of this number.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getArticleRevision`.
   */
  getRevision(id: string, number: string | number, options?: RequestOptions): Call<api.GetArticleRevisionResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/wiki/${encodeURIComponent(id)}/revisions/${encodeURIComponent(number)}`, options })
  }

  /**
   * Unpublish an article.
   *
   * It keeps its text; `published_at` is null again.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `unpublishArticle`.
   */
  unpublish(id: string, options?: RequestOptions): Call<api.UnpublishArticleResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/wiki/${encodeURIComponent(id)}/unpublish`, options })
  }
}
