import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { createSecretBox } from '../kernel/secret-box.ts'
import { readPage } from './cursor.ts'

const ours = { secrets: createSecretBox('01'.repeat(32)) }
const another = { secrets: createSecretBox('02'.repeat(32)) }

const accountId = newId('account')

function request(query: { limit: number; offset?: number; cursor?: string; status?: string }) {
  return { actor: { accountId }, routeOptions: { url: '/jobs' }, params: {}, query }
}

/** A list that only tells which rows it was asked for. */
const rows = [
  { page_key: '2026-03-01 00:00:00.000001+00', id: 'b' },
  { page_key: '2026-03-01 00:00:00.000001+00', id: 'a' },
]

async function cursorAfterFirst(status?: string): Promise<string> {
  const query = { limit: 1, ...(status && { status }) }
  const { meta } = await readPage(ours, request(query), async () => rows)
  return String(meta.next_cursor)
}

async function refusal(context: typeof ours, cursor: string): Promise<unknown> {
  const asked = readPage(context, request({ limit: 1, cursor }), async () => rows)
  return ((await asked.catch((error: unknown) => error)) as AppError).details
}

test('a cursor gives the list the exact key and ID of the last row, and one row more is asked for', async () => {
  const asked: unknown[] = []
  await readPage(ours, request({ limit: 1, cursor: await cursorAfterFirst() }), async (filter) => {
    asked.push(filter)
    return []
  })
  expect(asked).toEqual([{ limit: 2, offset: 0, after: { key: '2026-03-01 00:00:00.000001+00', id: 'b' } }])
})

test('a page that was asked for by offset is read as before', async () => {
  const { rows: read, meta } = await readPage(ours, request({ limit: 2, offset: 7, status: 'x' }), async (filter) => {
    expect(filter).toEqual({ limit: 2, offset: 7, status: 'x' })
    return rows
  })
  expect(read).toEqual(rows)
  expect(meta).toEqual({ limit: 2, offset: 7, count: 2 })
})

test('a list that ends with the page has no next cursor, also when the page is full', async () => {
  expect((await readPage(ours, request({ limit: 2 }), async () => rows)).meta).toHaveProperty('next_cursor', null)
  expect((await readPage(ours, request({ limit: 2 }), async () => [])).meta).toHaveProperty('next_cursor', null)
})

test('a cursor with any bit changed, or signed by another service, is refused', async () => {
  const cursor = await cursorAfterFirst()
  const bytes = Buffer.from(cursor, 'base64url')
  const wrong = { cursor: ['is not a next_cursor of this list with these filters'] }
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(await refusal(ours, changed.toString('base64url'))).toEqual(wrong)
  }
  expect(await refusal(another, cursor)).toEqual(wrong)
  expect(await refusal(ours, await cursorAfterFirst('failed'))).toEqual(wrong)
})

test('no text but a cursor of ours is taken for one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), async (text) => {
      expect(await refusal(ours, text)).toHaveProperty('cursor')
    }),
  )
}, 60_000)
