import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { insertFile } from '../../test/farm/test-fleet.ts'

const t = appForAllTests()
let farm: TestAccount
let stranger: TestAccount
beforeEach(async () => {
  farm = await t.account()
  stranger = await t.account()
})

const read = async (path: string) => (await farm.request('GET', path)).json().data
const namesOf = async (query: string) => (await read(`/files${query}`)).map(({ name }: { name: string }) => name)

async function addFile(name: string, tags: string[] = []): Promise<string> {
  const id = await insertFile(t, farm.id)
  await change(id, { name })
  if (tags.length > 0) await change(id, { tags })
  return id
}

const change = (id: string, body: object, account = farm) => account.request('PATCH', `/files/${id}`, body)

describe('tags of files', () => {
  test('are replaced as a whole, found by, and counted', async () => {
    const hook = await addFile('Hook', ['wall', 'small'])
    await addFile('Lid', ['small'])
    await addFile('Box')
    expect(await read(`/files/${hook}`)).toMatchObject({ tags: ['wall', 'small'] })
    expect(await namesOf('?tag=small&order_by=name')).toEqual(['Hook', 'Lid'])
    expect(await namesOf('?tag=smal')).toEqual([])
    expect(await read('/files/tags')).toEqual({
      tags: [
        { tag: 'small', files: 2 },
        { tag: 'wall', files: 1 },
      ],
    })
    await change(hook, { tags: [] })
    expect(await read('/files/tags')).toEqual({ tags: [{ tag: 'small', files: 1 }] })
    await farm.request('DELETE', `/files/${hook}`)
    expect((await stranger.request('GET', '/files/tags')).json().data).toEqual({ tags: [] })
  })

  test('the same tags again change and record nothing', async () => {
    const id = await addFile('Hook', ['wall'])
    const { updated_at } = await read(`/files/${id}`)
    expect((await change(id, { tags: ['wall'] })).json().data.updated_at).toBe(updated_at)
  })

  test.each([
    [{ tags: ['a', 'a'] }],
    [{ tags: [''] }],
    [{ tags: ['x'.repeat(51)] }],
    [{ tags: Array.from({ length: 21 }, (_, n) => `tag ${n}`) }],
  ])('refused: %j', async (body) => {
    const id = await addFile('Hook')
    const refused = await change(id, body)
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })

  test("of another account's file are neither changed nor told", async () => {
    const id = await addFile('Hook', ['wall'])
    expect((await change(id, { tags: [] }, stranger)).statusCode).toBe(404)
    expect((await stranger.request('GET', `/files/${id}/uses`)).statusCode).toBe(404)
    expect(await read(`/files/${id}`)).toMatchObject({ tags: ['wall'] })
  })
})

describe('folders of the library', () => {
  test('hold files, show what is in them and below, and are there while a file is', async () => {
    const hook = await addFile('Hook')
    const lid = await addFile('Lid')
    await addFile('Box')
    await change(hook, { folder: 'Walls' })
    expect((await change(lid, { folder: ' Walls / 2026 ' })).json().data).toMatchObject({ folder: 'Walls/2026' })
    await change(await addFile('Wallsome'), { folder: 'Wallsome' })
    expect(await namesOf('?folder=Walls&order_by=name')).toEqual(['Hook', 'Lid'])
    expect(await namesOf('?folder=Walls/2026')).toEqual(['Lid'])
    expect(await namesOf('?folder=Walls%25')).toEqual([])
    expect(await read('/files/folders')).toEqual({
      folders: [
        { folder: 'Walls', files: 1 },
        { folder: 'Walls/2026', files: 1 },
        { folder: 'Wallsome', files: 1 },
      ],
    })
    await change(lid, { folder: '' })
    await farm.request('DELETE', `/files/${hook}`)
    expect(await read('/files/folders')).toEqual({ folders: [{ folder: 'Wallsome', files: 1 }] })
    expect((await stranger.request('GET', '/files/folders')).json().data).toEqual({ folders: [] })
  })

  test('have names between their slashes, and a move of a file is an event that says where to', async () => {
    const hook = await addFile('Hook')
    for (const folder of ['/', 'Walls/', '/Walls', 'Walls//2026', 'x'.repeat(201)]) {
      expect((await change(hook, { folder })).json().error.code, folder).toBe('VALIDATION_ERROR')
    }
    expect((await change(hook, { folder: 'Walls' }, stranger)).statusCode).toBe(404)
    await change(hook, { folder: 'Walls' })
    const events = await read('/events?limit=100')
    expect(events.at(-1)).toMatchObject({ type: 'file.updated', data: { fields: ['folder'], folder: 'Walls' } })
  })
})

test('files come by name or by change, page by page, and each once', async () => {
  const ids = new Map<string, string>()
  for (const name of ['beta', 'Alpha', 'gamma', 'alpha']) ids.set(name, await addFile(name))
  await change(ids.get('Alpha') as string, { tags: ['touched'] })
  expect(await namesOf('')).toEqual(['alpha', 'gamma', 'Alpha', 'beta'])
  expect(await namesOf('?order_by=changed')).toEqual(['Alpha', 'alpha', 'gamma', 'beta'])
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await farm.request('GET', `/files?order_by=name&limit=1${cursor ? `&cursor=${cursor}` : ''}`)
    const { data, meta } = page.json()
    seen.push(...data.map(({ name }: { name: string }) => name))
    cursor = meta.next_cursor ?? undefined
  } while (cursor)
  expect(seen.map((name) => name.toLowerCase())).toEqual(['alpha', 'alpha', 'beta', 'gamma'])
  expect(new Set(seen).size).toBe(4)
})

test('a file tells the recipes that print it and how its jobs stand', async () => {
  const id = await addFile('Hook')
  const add = async (path: string, body: object) => (await farm.request('POST', path, body)).json().data
  const product = await add('/products', { name: 'Wall hook' })
  const sku = await add('/skus', { product_id: product.id, sku: 'HOOK-RED', color: 'red' })
  const recipe = await add('/recipes', { product_sku_id: sku.id, print_file_id: id, units_per_plate: 4 })
  await add('/jobs', { print_file_id: id })
  // One of several ways is a use, too.
  await add('/jobs', { product_sku_id: sku.id, number_of_units: 4 })
  const version = await read(`/files/${id}`)
  await t.db.sql`insert into jobs ${t.db.sql({
    account_id: farm.id,
    id: newId('job'),
    status: 'completed',
    print_file_id: id,
    file_version_id: version.versions[0].id,
    file_name: 'Hook',
    number_of_units: 1,
    quantity_per_print: 1,
    plates_total: 1,
    created_by: 'system',
    time_completed: new Date('2026-03-01T10:00:00.000Z'),
  })}`
  expect(await read(`/files/${id}/uses`)).toEqual({
    recipes: [
      {
        id: recipe.id,
        name: recipe.name,
        product_id: product.id,
        product_name: 'Wall hook',
        product_sku_id: sku.id,
        sku: 'HOOK-RED',
        units_per_plate: 4,
      },
    ],
    jobs: { unfinished: 2, completed: 1, failed: 0, last_ended_at: '2026-03-01T10:00:00.000Z' },
  })
})
