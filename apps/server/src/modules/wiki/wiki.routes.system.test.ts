import { describe, expect, test } from 'vitest'
import type { WikiArticleId } from '../../kernel/ids.ts'
import { accountForEachTest } from '../../test/app/app-hooks.ts'
import { addProduct, addSku } from '../../test/farm/test-catalogue.ts'
import { explaining, readPlan } from '../../test/run/query-plan.ts'
import { findArticle, listArticles, listCategories, listRevisions } from './wiki.queries.ts'

const { t, account: farm } = accountForEachTest()

async function addArticle(fields: Record<string, unknown> = {}, account = farm) {
  const answer = await account.request('POST', '/wiki', { title: 'Change the nozzle', ...fields })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

const getArticle = async (idOrSlug: string) =>
  (await farm.request('GET', `/wiki/${encodeURIComponent(idOrSlug)}`)).json().data

const eventsOf = (accountId: string) =>
  t.db.sql`
    select type, subject_id, data, actor from events
    where account_id = ${accountId} and type like 'wiki_article.%' order by id`

const revisionsOf = async (id: string) => (await farm.request('GET', `/wiki/${id}/revisions`)).json().data

/** An article as the list shows it. */
const withoutLongParts = ({ content: _content, sections: _sections, ...rest }: Record<string, unknown>) => rest

describe('POST /wiki', () => {
  test('writes an article with the defaults, unpublished, and says so in the events', async () => {
    const data = await addArticle({ colour: 'unknown fields are dropped' })
    expect(data).toEqual({
      id: expect.stringMatching(/^wik_/),
      title: 'Change the nozzle',
      slug: 'change-the-nozzle',
      excerpt: '',
      category: '',
      tags: [],
      product_id: null,
      sku_id: null,
      is_published: false,
      published_at: null,
      meta_title: '',
      meta_description: '',
      featured_image_url: '',
      description: '',
      estimated_time_minutes: null,
      difficulty: null,
      tools_required: [],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: data.created_at,
      content: '',
      sections: [],
    })
    expect(await eventsOf(farm.id)).toEqual([
      {
        type: 'wiki_article.created',
        subject_id: data.id,
        data: { title: 'Change the nozzle', slug: 'change-the-nozzle' },
        actor: expect.stringMatching(/^key:key_/),
      },
    ])
    expect(await getArticle(data.id)).toEqual(data)
  })

  test('keeps every field that is given, and takes back what it answered', async () => {
    const product = await addProduct(farm)
    const sku = await addSku(farm, { product_id: product.id })
    const fields = {
      title: '🔧'.repeat(200),
      slug: 'nozzle-0-4-mm',
      excerpt: 'How to change it',
      category: 'Maintenance',
      tags: ['NULL', 'a"b', 'c\\d', '{e,f}', ' ', 'ü'],
      product_id: product.id,
      sku_id: sku.id,
      meta_title: 'Nozzle',
      meta_description: 'Nozzles and how to change them',
      featured_image_url: 'https://example.com/nozzle.png?a=1',
      description: 'With the hot end warm',
      estimated_time_minutes: 12.5,
      difficulty: 'hard',
      tools_required: ['Wrench, 7 mm'],
      content: '# Nozzle\r\n\n<b>as given</b>\t',
      sections: [
        {
          id: 'intro',
          type: 'step',
          order: 3,
          content: 'Heat up',
          title: 'Heat',
          description: 'to 250 °C',
          image_url: 'http://example.com/a.webp',
          notes: 'Slowly',
          warnings: ['Hot', 'Hot'],
          number: 1,
        },
      ],
    }
    const article = await addArticle(fields)
    expect(article).toMatchObject(fields)
    expect(await getArticle(fields.slug)).toEqual(article)
    expect(await addArticle({ ...article, slug: 'copy' })).toMatchObject({ ...fields, slug: 'copy' })
  })

  test('fills in sections and answers them in their order', async () => {
    const { sections } = await addArticle({
      sections: [{ type: 'warning', order: 5, colour: 'red' }, { type: 'step' }, { type: 'subtitle', order: 0 }],
    })
    const made = {
      id: expect.stringMatching(/^wsc_/),
      content: '',
      title: '',
      description: '',
      image_url: '',
      notes: '',
    }
    expect(sections).toEqual([
      { ...made, type: 'subtitle', order: 0, warnings: [], number: null },
      { ...made, type: 'step', order: 1, warnings: [], number: null },
      { ...made, type: 'warning', order: 5, warnings: [], number: null },
    ])
    expect(new Set(sections.map((section: { id: string }) => section.id)).size).toBe(3)
  })

  test.each([
    [{}, { title: ['is required'] }],
    [{ title: '' }, { title: ['must not be empty'] }],
    [{ title: 'x'.repeat(201) }, { title: ['must have at most 200 characters'] }],
    [{ slug: '' }, { slug: ['must not be empty'] }],
    [{ slug: 'Not A Slug' }, { slug: ['must be lower-case words joined by single hyphens'] }],
    [{ slug: 'a'.repeat(201) }, { slug: ['must have at most 200 characters'] }],
    [{ slug: 'categories' }, { slug: ['is reserved'] }],
    [{ slug: 5 }, { slug: [expect.stringContaining('a string')] }],
    [{ tags: Array.from({ length: 51 }, (_, n) => `tag ${n}`) }, { tags: ['must have at most 50 items'] }],
    [{ tags: ['a', 'a'] }, { tags: ['must not repeat items'] }],
    [{ tags: [''] }, { 'tags.0': ['must not be empty'] }],
    [{ tags: 'a' }, { tags: ['must be an array'] }],
    [{ content: 'x'.repeat(200_001) }, { content: ['must have at most 200000 characters'] }],
    [{ content: 'a\0b' }, { content: ['must not contain NUL bytes'] }],
    [{ difficulty: 'extreme' }, { difficulty: ['must be one of easy, medium, hard'] }],
    [{ estimated_time_minutes: -1 }, { estimated_time_minutes: ['must be at least 0'] }],
    [{ estimated_time_minutes: '5' }, { estimated_time_minutes: ['must be a number or null'] }],
    [{ featured_image_url: 'javascript:alert(1)' }, { featured_image_url: ['has an invalid form'] }],
    [
      { sections: Array.from({ length: 201 }, () => ({ type: 'step' })) },
      { sections: ['must have at most 200 items'] },
    ],
    [{ sections: [{ type: 'video' }] }, { 'sections.0.type': ['must be one of subtitle, step, note, warning'] }],
    [{ sections: [{}] }, { 'sections.0.type': ['is required'] }],
    [{ sections: [{ type: 'step', order: 1.5 }] }, { 'sections.0.order': ['must be a whole number'] }],
    [
      {
        sections: [
          { type: 'step', id: 'a' },
          { type: 'note', id: 'a' },
        ],
      },
      { 'sections.1.id': ['must not repeat that of another section'] },
    ],
  ])('refuses what is wrong (%#) and says what', async (fields, details) => {
    const body = 'title' in fields || 'title' in details ? fields : { title: 'Nozzle', ...fields }
    const answer = await farm.request('POST', '/wiki', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details })
    expect(await eventsOf(farm.id)).toEqual([])
  })

  test('takes the longest text there may be, and 413 is the answer to a body beyond 1 MiB', async () => {
    const content = '🔧'.repeat(200_000)
    expect((await addArticle({ content })).content).toBe(content)
    const answer = await farm.request('POST', '/wiki', {
      title: 'Long',
      sections: Array.from({ length: 200 }, () => ({ type: 'step', content: 'x'.repeat(6000) })),
    })
    expect(answer.statusCode).toBe(413)
    expect(answer.json().error.code).toBe('PAYLOAD_TOO_LARGE')
  })

  test.each([
    ['PRODUCT_NOT_FOUND', (other: { product_id: string }) => ({ product_id: other.product_id })],
    ['PRODUCT_NOT_FOUND', () => ({ product_id: 'prd_unknown' })],
    ['SKU_NOT_FOUND', (other: { id: string }) => ({ sku_id: other.id })],
    ['SKU_NOT_FOUND', () => ({ sku_id: 'sku_unknown' })],
  ])('answers %s for what is unknown or of another account (%#), on writing and on changing', async (code, fields) => {
    const body = fields(await addSku(await t.account()))
    const article = await addArticle()
    for (const [method, path] of [
      ['POST', '/wiki'],
      ['PATCH', `/wiki/${article.id}`],
    ] as const) {
      const answer = await farm.request(method, path, { title: 'Other', ...body })
      expect(answer.statusCode).toBe(404)
      expect(answer.json().error.code).toBe(code)
    }
    expect(await eventsOf(farm.id)).toHaveLength(1)
    expect(await getArticle(article.id)).toEqual(article)
  })

  test('a slug that is given and taken is refused; one from the title gets a number', async () => {
    await addArticle({ slug: 'nozzle' })
    const answer = await farm.request('POST', '/wiki', { title: 'Other', slug: 'nozzle' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error).toMatchObject({ code: 'DUPLICATE_SLUG', message: 'Another article has this slug.' })
    expect((await addArticle({ title: 'Nozzle!' })).slug).toBe('nozzle-2')
    expect((await addArticle({ title: 'nozzle' })).slug).toBe('nozzle-3')
    expect((await addArticle({ slug: 'nozzle' }, await t.account())).slug).toBe('nozzle')
  })

  test('articles of one title written at once all get slugs of their own', async () => {
    const articles = await Promise.all(Array.from({ length: 8 }, () => addArticle({ title: 'Nozzle' })))
    expect(articles.map(({ slug }) => slug).sort()).toEqual([
      'nozzle',
      ...[2, 3, 4, 5, 6, 7, 8].map((n) => `nozzle-${n}`),
    ])
  })

  test('an article with the title of a fixed address can still be read by its slug', async () => {
    const article = await addArticle({ title: 'Categories' })
    expect(article.slug).toBe('categories-2')
    expect(await getArticle('categories-2')).toEqual(article)
  })

  test('a long slug in any script can be read by', async () => {
    const slug = 'ノ'.repeat(200)
    expect(await getArticle((await addArticle({ slug })).slug)).toMatchObject({ slug })
  })

  test('sent again with its Idempotency-Key, it answers the same and writes nothing', async () => {
    const send = () => farm.request('POST', '/wiki', { title: 'Bed' }, { 'idempotency-key': 'bed-1' })
    const first = await send()
    const second = await send()
    expect(second.statusCode).toBe(201)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toBe(first.body)
    expect((await farm.request('GET', '/wiki')).json().meta.count).toBe(1)
  })
})

describe('GET /wiki', () => {
  test('lists the newest first, without content and sections', async () => {
    const older = await addArticle({ content: 'Long', sections: [{ type: 'step' }] })
    const newer = await addArticle()
    const answer = (await farm.request('GET', '/wiki')).json()
    expect(answer).toEqual({
      success: true,
      data: [withoutLongParts(newer), withoutLongParts(older)],
      meta: { limit: 50, offset: 0, count: 2, next_cursor: null },
    })
    expect((await farm.request('GET', '/wiki?limit=1&offset=1')).json()).toMatchObject({
      data: [{ id: older.id }],
      meta: { limit: 1, offset: 1, count: 1 },
    })
  })

  test('finds by category, tag, product, publication and part of the text', async () => {
    const product = await addProduct(farm)
    await addArticle({ title: 'A', category: 'Care', tags: ['bed', 'glue'], product_id: product.id })
    const b = await addArticle({ title: 'B 50% off', category: 'Care', tags: ['bed plate'], excerpt: 'All of_it' })
    await addArticle({ title: 'C', category: 'Care parts', description: 'For the BED' })
    await farm.request('POST', `/wiki/${b.id}/publish`)
    const titlesOf = async (query: string) =>
      (await farm.request('GET', `/wiki?${query}`)).json().data.map((article: { title: string }) => article.title)
    expect(await titlesOf('category=Care')).toEqual(['B 50% off', 'A'])
    expect(await titlesOf('tag=bed')).toEqual(['A'])
    expect(await titlesOf(`product_id=${product.id}`)).toEqual(['A'])
    expect(await titlesOf('is_published=true')).toEqual(['B 50% off'])
    expect(await titlesOf('is_published=false')).toEqual(['C', 'A'])
    expect(await titlesOf('search=%25')).toEqual(['B 50% off'])
    expect(await titlesOf('search=F_I')).toEqual(['B 50% off'])
    expect(await titlesOf('search=bed')).toEqual(['C'])
    expect(await titlesOf('category=Care&is_published=false&tag=glue')).toEqual(['A'])
  })

  test.each(['limit=0', 'limit=101', 'offset=-1', 'is_published=yes', 'search=', 'tag=', 'category=', 'product_id='])(
    'refuses %s',
    async (query) => {
      const answer = await farm.request('GET', `/wiki?${query}`)
      expect(answer.statusCode).toBe(400)
      expect(Object.keys(answer.json().error.details)).toEqual([query.split('=')[0]])
    },
  )

  test('reads pages and articles by their indexes, however many there are', async () => {
    for (const { id } of [farm, await t.account()]) {
      await t.db.sql`
        insert into wiki_articles
          (account_id, id, title, slug, excerpt, category, tags, meta_title, meta_description, featured_image_url,
           description, tools_required, content, sections, created_at)
        select ${id}, 'wik_' || n, 'Article', 'article-' || n, '', 'Category ' || n % 100, '{}', '', '', '', '', '{}',
               '', '[]', now() - n * interval '1 minute'
        from generate_series(1, 3000) n`
      await t.db.sql`
        insert into wiki_revisions (account_id, article_id, number, fields, article, actor)
        select ${id}, 'wik_' || n % 10 + 1, n / 10 + 1, '{}', '{}', 'system' from generate_series(0, 2999) n`
    }
    await t.db.sql`analyze wiki_articles, wiki_revisions`
    const sql = explaining(t.db.sql)
    const wanted = { limit: 50, offset: 0 }
    expect(readPlan(await listArticles(sql, farm.id, wanted)).indexes).toEqual(['wiki_articles_by_age'])
    expect(readPlan(await listArticles(sql, farm.id, { ...wanted, category: 'Category 7' })).indexes).toEqual([
      'wiki_articles_by_category',
    ])
    expect(readPlan(await listCategories(sql, farm.id, wanted)).indexes).toEqual(['wiki_articles_by_category'])
    const article = readPlan([await findArticle(sql, farm.id, 'article-7')])
    expect(article.indexes.sort()).toEqual(['wiki_articles_pkey', 'wiki_articles_slug_key'])
    expect(readPlan(await listRevisions(sql, farm.id, 'wik_7' as WikiArticleId, wanted)).indexes).toEqual([
      'wiki_revisions_pkey',
    ])
  })
})

test('the categories are listed by name with their articles, and none is no category', async () => {
  for (const category of ['Safety', 'Care', '', 'Care']) await addArticle({ category })
  await addArticle({ category: 'Foreign' }, await t.account())
  const answer = await farm.request('GET', '/wiki/categories')
  expect(answer.json()).toEqual({
    success: true,
    data: [
      { category: 'Care', article_count: 2 },
      { category: 'Safety', article_count: 1 },
    ],
    meta: { limit: 50, offset: 0, count: 2, next_cursor: null },
  })
  expect((await farm.request('GET', '/wiki/categories?limit=1&offset=1')).json().data).toEqual([
    { category: 'Safety', article_count: 1 },
  ])
})

describe('PATCH /wiki/{idOrSlug}', () => {
  test('changes what is given and leaves the rest, the slug too', async () => {
    const product = await addProduct(farm)
    const article = await addArticle({ product_id: product.id, difficulty: 'easy', sections: [{ type: 'step' }] })
    const changes = { title: 'Swap the nozzle', product_id: null, difficulty: null, content: 'Short' }
    const answer = await farm.request('PATCH', `/wiki/${article.slug}`, changes)
    expect(answer.statusCode).toBe(200)
    const { data } = answer.json()
    expect(data).toEqual({ ...article, ...changes, updated_at: expect.any(String) })
    expect(data.updated_at > article.updated_at).toBe(true)
    expect(await getArticle(article.id)).toEqual(data)
    expect((await eventsOf(farm.id)).at(-1)).toMatchObject({
      type: 'wiki_article.updated',
      subject_id: article.id,
      data: { fields: ['title', 'product_id', 'difficulty', 'content'], revision: 2 },
    })
  })

  test('what is as it was already changes and records nothing', async () => {
    const article = await addArticle({ tags: ['a'], sections: [{ type: 'step', warnings: ['Hot'], number: 1 }] })
    for (const body of [article, { title: article.title }, { colour: 'red' }]) {
      const answer = await farm.request('PATCH', `/wiki/${article.id}`, body)
      expect(answer.json().data).toEqual(article)
    }
    expect(await revisionsOf(article.id)).toHaveLength(1)
    expect(await eventsOf(farm.id)).toHaveLength(1)
  })

  test('may move to a free slug, but not to that of another', async () => {
    const nozzle = await addArticle({ slug: 'nozzle' })
    await addArticle({ slug: 'bed' })
    const answer = await farm.request('PATCH', '/wiki/nozzle', { slug: 'bed', title: 'Lost' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error.code).toBe('DUPLICATE_SLUG')
    expect(await getArticle('nozzle')).toEqual(nozzle)
    await farm.request('PATCH', '/wiki/nozzle', { slug: 'hot-end' })
    expect(await getArticle('hot-end')).toMatchObject({ id: nozzle.id })
    expect((await farm.request('GET', '/wiki/nozzle')).statusCode).toBe(404)
  })

  test.each([
    [{}, { _root: ['must have at least one field'] }],
    [{ title: null }, { title: ['must be a string'] }],
    [{ slug: 'wik_1' }, { slug: ['must be lower-case words joined by single hyphens'] }],
    [{ sections: null }, { sections: ['must be an array'] }],
  ])('refuses %j', async (body, details) => {
    const article = await addArticle()
    const answer = await farm.request('PATCH', `/wiki/${article.id}`, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details })
  })

  test('of changes made at once each is kept, and each has a revision', async () => {
    const article = await addArticle()
    const changes = { excerpt: 'E', category: 'C', content: 'T', meta_title: 'M', description: 'D' }
    await Promise.all(
      Object.entries(changes).map(([field, value]) => farm.request('PATCH', `/wiki/${article.id}`, { [field]: value })),
    )
    expect(await getArticle(article.id)).toMatchObject(changes)
    const revisions = await revisionsOf(article.id)
    expect(revisions.map(({ number }: { number: number }) => number)).toEqual([6, 5, 4, 3, 2, 1])
    const fields = revisions.slice(0, 5).flatMap((revision: { fields: string[] }) => revision.fields)
    expect(fields.sort()).toEqual(Object.keys(changes).sort())
  })
})

describe('GET /wiki/{id}/revisions', () => {
  test('tells who changed what when, the newest first, and what the article said then', async () => {
    const article = await addArticle({ content: 'One', sections: [{ type: 'step', id: 'a', content: 'Heat' }] })
    await farm.request('PATCH', `/wiki/${article.id}`, { content: 'Two', sections: [] })
    await farm.request('POST', `/wiki/${article.id}/publish`)
    const answer = (await farm.request('GET', `/wiki/${article.id}/revisions`)).json()
    const who = {
      actor: expect.stringMatching(/^key:key_/),
      actor_name: 'test',
      created_at: expect.stringMatching(/Z$/),
    }
    expect(answer.meta).toEqual({ limit: 50, offset: 0, count: 2, next_cursor: null })
    expect(answer.data).toEqual([
      { number: 2, fields: expect.arrayContaining(['content', 'sections']), ...who },
      { number: 1, fields: expect.arrayContaining(['title', 'slug', 'content', 'sections']), ...who },
    ])
    expect(answer.data[0].fields).toHaveLength(2)
    expect(answer.data[0].created_at > answer.data[1].created_at).toBe(true)
    expect((await farm.request('GET', `/wiki/${article.slug}/revisions?limit=1&offset=1`)).json().data).toEqual([
      answer.data[1],
    ])

    const first = (await farm.request('GET', `/wiki/${article.id}/revisions/1`)).json().data
    const {
      id: _id,
      is_published: _is,
      published_at: _at,
      created_at: _created,
      updated_at: _updated,
      ...text
    } = article
    expect(first).toEqual({ ...answer.data[1], article: text })
    const restored = await farm.request('PATCH', `/wiki/${article.id}`, first.article)
    expect(restored.json().data).toMatchObject({ content: 'One', sections: article.sections, is_published: true })
  })

  test.each(['3', '999999999'])('answers 404 for revision %s when there are two', async (number) => {
    const article = await addArticle()
    await farm.request('PATCH', `/wiki/${article.id}`, { content: 'Two' })
    const answer = await farm.request('GET', `/wiki/${article.id}/revisions/${number}`)
    expect(answer.statusCode).toBe(404)
    expect(answer.json().error).toMatchObject({ code: 'NOT_FOUND', message: 'No revision has this ID.' })
  })

  test.each(['0', '-1', '1.5', 'latest', '99999999999'])('refuses %s as a number', async (number) => {
    const article = await addArticle()
    const answer = await farm.request('GET', `/wiki/${article.id}/revisions/${number}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details).toEqual({ number: ['has an invalid form'] })
  })
})

describe('POST /wiki/{id}/publish', () => {
  test('publishes and stamps the time, once', async () => {
    const article = await addArticle({ content: 'Text', sections: [{ type: 'note' }] })
    const before = Date.now()
    const answer = await farm.request('POST', `/wiki/${article.id}/publish`)
    expect(answer.statusCode).toBe(200)
    const { data } = answer.json()
    expect(data).toEqual({
      ...article,
      is_published: true,
      published_at: expect.any(String),
      updated_at: data.published_at,
    })
    expect(Math.abs(Date.parse(data.published_at) - before)).toBeLessThan(10_000)

    const again = await farm.request('POST', `/wiki/${article.id}/publish`)
    expect(again.statusCode).toBe(400)
    expect(again.json()).toEqual({
      success: false,
      error: { code: 'ALREADY_PUBLISHED', message: 'The article is published already.' },
    })
    expect(await getArticle(article.slug)).toEqual(data)
    expect((await eventsOf(farm.id)).slice(1)).toEqual([
      {
        type: 'wiki_article.published',
        subject_id: article.id,
        data: { title: article.title, slug: article.slug },
        actor: expect.stringMatching(/^key:key_/),
      },
    ])
  })

  test('of many at once one publishes, and the others are told', async () => {
    const article = await addArticle()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => farm.request('POST', `/wiki/${article.id}/publish`)),
    )
    const codes = answers.map((answer) => answer.json().error?.code ?? answer.statusCode)
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    expect(codes.filter((code) => code === 'ALREADY_PUBLISHED')).toHaveLength(7)
    const published = answers.find((answer) => answer.statusCode === 200)?.json().data
    expect(await getArticle(article.id)).toEqual(published)
    expect(await eventsOf(farm.id)).toHaveLength(2)
  })

  test('sent again with its Idempotency-Key, it answers as the first time', async () => {
    const article = await addArticle()
    const send = () =>
      farm.request('POST', `/wiki/${article.id}/publish`, undefined, { 'idempotency-key': `publish-${article.id}` })
    const first = await send()
    const second = await send()
    expect(first.statusCode).toBe(200)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toBe(first.body)
  })

  test('a published article is taken back once, keeps its text, and can be published again', async () => {
    const article = await addArticle({ content: 'Text' })
    const path = `/wiki/${article.id}`
    const early = await farm.request('POST', `${path}/unpublish`)
    expect(early.statusCode).toBe(400)
    expect(early.json().error).toEqual({ code: 'ALREADY_UNPUBLISHED', message: 'The article is not published.' })
    const first = (await farm.request('POST', `${path}/publish`)).json().data
    const answer = await farm.request('POST', `${path}/unpublish`)
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toEqual({ ...article, updated_at: expect.any(String) })
    const second = (await farm.request('POST', `${path}/publish`)).json().data
    expect(second.published_at > first.published_at).toBe(true)
    expect((await eventsOf(farm.id)).map(({ type }) => type)).toEqual([
      'wiki_article.created',
      'wiki_article.published',
      'wiki_article.unpublished',
      'wiki_article.published',
    ])
    expect(await revisionsOf(article.id)).toHaveLength(1)
  })

  test('what a change writes while it is published stays published', async () => {
    const article = await addArticle()
    const { published_at: publishedAt } = (await farm.request('POST', `/wiki/${article.id}/publish`)).json().data
    const answer = await farm.request('PATCH', `/wiki/${article.id}`, { content: 'New', is_published: false })
    expect(answer.json().data).toMatchObject({ content: 'New', is_published: true, published_at: publishedAt })
  })
})

test('deleting takes the revisions along and frees the slug; a second time there is nothing', async () => {
  const article = await addArticle()
  await farm.request('PATCH', `/wiki/${article.id}`, { content: 'Two' })
  const answer = await farm.request('DELETE', `/wiki/${article.slug}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.json().data).toEqual({ id: article.id, deleted: true })
  expect((await farm.request('DELETE', `/wiki/${article.id}`)).statusCode).toBe(404)
  expect((await farm.request('POST', `/wiki/${article.id}/publish`)).statusCode).toBe(404)
  expect(await t.db.sql`select number from wiki_revisions where account_id = ${farm.id}`).toHaveLength(0)
  expect((await eventsOf(farm.id)).at(-1)).toMatchObject({
    type: 'wiki_article.deleted',
    subject_id: article.id,
    data: { title: article.title, slug: article.slug },
  })
  expect((await addArticle()).slug).toBe(article.slug)
})

const routes = [
  ['POST', '/wiki', { title: 'Stolen' }],
  ['GET', '/wiki', undefined],
  ['GET', '/wiki/categories', undefined],
  ['GET', '/wiki/{id}', undefined],
  ['PATCH', '/wiki/{id}', { title: 'Stolen' }],
  ['DELETE', '/wiki/{id}', undefined],
  ['POST', '/wiki/{id}/publish', undefined],
  ['POST', '/wiki/{id}/unpublish', undefined],
  ['GET', '/wiki/{id}/revisions', undefined],
  ['GET', '/wiki/{id}/revisions/1', undefined],
] as const

describe.each(routes)('%s %s', (method, path, body) => {
  test('needs a key', async () => {
    const url = `/public/v1${path.replace('{id}', 'wik_1')}`
    const answer = await t.app.inject({ method, url, ...(body && { payload: body }) })
    expect(answer.statusCode).toBe(401)
    expect(answer.json().error.code).toBe('UNAUTHORIZED')
  })

  test('needs its scope, and without it does not say what exists', async () => {
    const scope = method === 'GET' ? 'read' : 'write'
    const others = (['read', 'write', 'control'] as const).filter((each) => each !== scope)
    const answer = await (await t.account({ scopes: others })).request(method, path.replace('{id}', 'wik_1'), body)
    expect(answer.statusCode).toBe(403)
    expect(answer.json().error).toMatchObject({ code: 'INSUFFICIENT_SCOPE', message: expect.stringContaining(scope) })
  })
})

test.each(routes.filter(([, path]) => path.includes('{id}')))(
  '%s %s answers the same for an article of another account as for none, by ID and by slug',
  async (method, path, body) => {
    const article = await addArticle({ slug: 'secret' })
    const other = await t.account()
    const unknown = await other.request(method, path.replace('{id}', 'wik_unknown'), body)
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json().error.code).toBe('NOT_FOUND')
    for (const name of [article.id, article.slug]) {
      expect((await other.request(method, path.replace('{id}', name), body)).body).toBe(unknown.body)
    }
    expect(await getArticle(article.id)).toEqual(article)
    expect((await other.request('GET', '/wiki')).json().data).toEqual([])
  },
)
