// Calls the service by types that openapi-typescript makes of its API description, and prints what it saw.

import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

function connect(url: string | undefined) {
  return createClient<paths>({
    baseUrl: url ?? '',
    headers: { Authorization: `Bearer ${process.env.API_KEY}` },
  })
}

const client = connect(process.env.SERVICE_URL)

async function list(from: ReturnType<typeof connect>, query: { limit?: number; cursor?: string } = {}) {
  const { data, error } = await from.GET('/public/v1/jobs', { params: { query } })
  if (!data) throw new Error(`list: ${error.error.code}`)
  return data
}

const listed: number = (await list(client)).data.length

const added = await client.POST('/public/v1/jobs', {
  body: { print_file_id: process.env.FILE_ID ?? '', number_of_units: 2 },
})
if (!added.data) throw new Error(`enqueue: ${added.error.error.message}`)
const enqueued: string = added.data.data.id

const pages: string[][] = []
let cursor: string | null | undefined
do {
  const page = await list(client, { limit: 2, ...(cursor && { cursor }) })
  pages.push(page.data.map(({ id }) => id))
  cursor = page.meta.next_cursor
} while (cursor)

const none = await client.GET('/public/v1/jobs/{id}', { params: { path: { id: 'job_none' } } })
const missing = { status: none.response.status, code: none.error?.error.code }

const later: (string | null)[] = (await list(connect(process.env.LATER_URL))).data.map(({ status }) => status)

let limited: { status: number; code: string } | undefined
for (let calls = 0; calls < 200 && !limited; calls += 1) {
  const { error, response } = await client.GET('/public/v1/jobs')
  if (error) limited = { status: response.status, code: error.error.code }
}

console.log(JSON.stringify({ listed, enqueued, pages, missing, limited, later }))
