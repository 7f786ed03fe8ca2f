import { beforeEach, expect, test } from 'vitest'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { addSku } from '../test/farm/test-catalogue.ts'
import { dataOf, errorOf, expectForm, type Form, keepsCommonPromises } from './expectations.ts'

const articleForm: Form = {
  id: 'string',
  title: 'string',
  slug: 'string',
  excerpt: 'string',
  category: 'string',
  tags: 'list',
  product_id: 'string?',
  sku_id: 'string?',
  is_published: 'boolean',
  published_at: 'timestamp',
  meta_title: 'string',
  meta_description: 'string',
  featured_image_url: 'string',
  description: 'string',
  estimated_time_minutes: 'number?',
  difficulty: 'string?',
  tools_required: 'list',
  created_at: 'timestamp',
  updated_at: 'timestamp',
  content: 'string',
  sections: 'list',
}

const sectionForm: Form = {
  id: 'string',
  type: 'string',
  order: 'integer',
  content: 'string',
  title: 'string',
  description: 'string',
  image_url: 'string',
  notes: 'string',
  warnings: 'list',
  number: 'integer?',
}

let articleId: string
const { t, account } = accountForAllTests()
beforeEach(async () => {
  articleId = await addArticle()
})

const addArticle = async (fields: object = {}): Promise<string> =>
  dataOf(await account.request('POST', '/wiki', { title: 'Clearing a plate', ...fields }), 201).id
const publish = (id = articleId) => account.request('POST', `/wiki/${id}/publish`)
const read = async (id = articleId) => dataOf(await account.request('GET', `/wiki/${id}`))

keepsCommonPromises({ method: 'POST', path: '/wiki/:id/publish', scope: 'write' }, () => ({
  t,
  account,
  id: articleId,
}))

test('200: the article with exactly its fields, published at this moment', async () => {
  expect(await read()).toMatchObject({ is_published: false, published_at: null })
  const article = dataOf(await publish())
  expectForm(article, articleForm)
  const { id, title, slug, is_published, published_at, created_at, updated_at, ...unsaid } = article
  expect({ id, title, is_published }).toEqual({ id: articleId, title: 'Clearing a plate', is_published: true })
  expect(slug).toMatch(/^clearing-a-plate/)
  expect(published_at >= created_at).toBe(true)
  expect(updated_at >= published_at).toBe(true)
  expect(unsaid).toEqual({
    excerpt: '',
    category: '',
    tags: [],
    product_id: null,
    sku_id: null,
    meta_title: '',
    meta_description: '',
    featured_image_url: '',
    description: '',
    estimated_time_minutes: null,
    difficulty: null,
    tools_required: [],
    content: '',
    sections: [],
  })
  expect(await read()).toEqual(article)
})

test('200: all that the article says is unchanged, its sections in their order with exactly their fields', async () => {
  const sku = await addSku(account)
  const given = {
    title: 'Changing a nozzle',
    slug: 'nozzle',
    excerpt: 'In ten minutes',
    category: 'Maintenance',
    tags: ['nozzle', 'hot'],
    product_id: sku.product_id,
    sku_id: sku.id,
    meta_title: 'Nozzle',
    meta_description: 'How to',
    featured_image_url: 'https://example.com/nozzle.webp',
    description: 'Heat first',
    estimated_time_minutes: 12.5,
    difficulty: 'medium',
    tools_required: ['7 mm wrench'],
    content: '# Heat',
  }
  const note = {
    id: 'n',
    type: 'note',
    order: 2,
    content: 'Hot',
    title: 'Mind',
    description: 'd',
    notes: 'x',
    warnings: ['!'],
  }
  const article = dataOf(
    await publish(await addArticle({ ...given, sections: [note, { type: 'step', order: 1, number: 1 }] })),
  )
  expect(article).toMatchObject(given)
  for (const section of article.sections) expectForm(section, sectionForm)
  expect(article.sections).toMatchObject([
    {
      type: 'step',
      order: 1,
      number: 1,
      content: '',
      title: '',
      description: '',
      image_url: '',
      notes: '',
      warnings: [],
    },
    { ...note, number: null, image_url: '' },
  ])
})

test('400 ALREADY_PUBLISHED, and published_at stays what it was', async () => {
  const { published_at } = dataOf(await publish())
  errorOf(await publish(), 400, 'ALREADY_PUBLISHED')
  expect(await read()).toMatchObject({ is_published: true, published_at })
})

test('of simultaneous calls one publishes, the others are told', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => publish()))
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 400, 400, 400, 400])
})

test('an article that was taken back is published again', async () => {
  const first = dataOf(await publish())
  expect(dataOf(await account.request('POST', `/wiki/${articleId}/unpublish`))).toMatchObject({ published_at: null })
  const again = dataOf(await publish())
  expect(again.is_published).toBe(true)
  expect(again.published_at >= first.published_at).toBe(true)
})

test('any body is ignored', async () => {
  const answer = await account.request('POST', `/wiki/${articleId}/publish`, {
    title: 'Other',
    published_at: '2020-01-01',
  })
  expect(dataOf(answer).title).toBe('Clearing a plate')
})
