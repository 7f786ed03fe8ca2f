import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accountForEachTest } from '../../test/app/app-hooks.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { drawImage, encodeForm } from '../../test/farm/test-images.ts'

const { t, account: farm } = accountForEachTest()

async function addArticle(account: TestAccount = farm): Promise<{ id: string; slug: string }> {
  const answer = await account.request('POST', '/wiki', { title: 'Change the nozzle' })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

async function post(articleId: string, image: Buffer, account: TestAccount = farm) {
  const form = await encodeForm([['image', image]])
  return t.app.inject({
    method: 'POST',
    url: `/public/v1/wiki/${articleId}/images`,
    headers: { authorization: `Bearer ${account.key}`, 'content-type': form.contentType },
    payload: form.body,
  })
}

const pathsOf = async (id: string) => {
  const [row] = await t.db
    .sql`select sha256, thumb_sha256 from wiki_images where account_id = ${farm.id} and id = ${id}`
  return [t.context.files.pathOf(row?.sha256), t.context.files.pathOf(row?.thumb_sha256)]
}

test('a picture is kept for an article and served by its address, and goes with the article', async () => {
  const article = await addArticle()
  const content = await drawImage('png', { width: 700, height: 500 })
  const answer = await post(article.slug, content)
  expect(answer.statusCode, answer.body).toBe(201)
  const { id, url, thumb_url } = answer.json().data
  expect(url).toMatch(/^http:\/\/localhost:80\/images\/[0-9a-f]{32}$/)
  const served = await t.app.inject(new URL(url).pathname)
  expect(served.rawPayload.equals(content)).toBe(true)
  expect((await t.app.inject(new URL(thumb_url).pathname)).headers['content-type']).toBe('image/webp')
  const sections = [{ type: 'step', title: 'Heat', image_url: url }]
  expect((await farm.request('PATCH', `/wiki/${article.id}`, { sections })).json().data.sections).toMatchObject([
    { image_url: url },
  ])

  const paths = await pathsOf(id)
  expect(paths.map((path) => existsSync(path))).toEqual([true, true])
  expect((await farm.request('DELETE', `/wiki/${article.id}`)).statusCode).toBe(200)
  expect((await t.app.inject(new URL(url).pathname)).statusCode).toBe(404)
  expect(paths.map((path) => existsSync(path))).toEqual([false, false])
})

test('the same content at two articles stays until neither needs it', async () => {
  const article = await addArticle()
  const other = await addArticle()
  const content = await drawImage()
  const first = (await post(article.id, content)).json().data
  const second = (await post(other.id, content)).json().data
  expect(second.url).not.toBe(first.url)
  const paths = await pathsOf(first.id)
  await farm.request('DELETE', `/wiki/${article.id}`)
  expect(paths.map((path) => existsSync(path))).toEqual([true, true])
  await farm.request('DELETE', `/wiki/${other.id}`)
  expect(paths.map((path) => existsSync(path))).toEqual([false, false])
})

test('what is no image, an article of another account and a key that only reads are refused', async () => {
  const article = await addArticle()
  const text = await post(article.id, Buffer.from('no image'))
  expect([text.statusCode, text.json().error.code]).toEqual([400, 'INVALID_FILE'])
  const stranger = await t.account()
  expect((await post(article.id, await drawImage(), stranger)).statusCode).toBe(404)
  const json = await farm.request('POST', `/wiki/${article.id}/images`, { image: 'x' })
  expect(json.statusCode).toBe(415)
  const [{ count } = { count: 0 }] = await t.db.sql<{ count: number }[]>`
    select count(*)::int as count from wiki_images where account_id = ${farm.id}`
  expect(count).toBe(0)
})
