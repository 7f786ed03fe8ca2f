import { describe, expect, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'

const { t, account: farm } = accountForEachTest()

async function addColor(fields: Record<string, unknown> = {}, account = farm) {
  const answer = await account.request('POST', '/colors', {
    color_name: 'Signal red',
    hex_code: '#C1121C',
    ...fields,
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

const listed = async (query = '', account = farm) => (await account.request('GET', `/colors${query}`)).json()

const eventsOf = (accountId: string) =>
  t.db
    .sql`select type, subject_id, data from events where account_id = ${accountId} and type like 'color.%' order by id`

describe('POST /colors', () => {
  test('adds a colour with its code in upper case, and says so in the events', async () => {
    const color = await addColor({ hex_code: '#c1121c', filament_type: 'PLA' })
    expect(color).toEqual({
      id: expect.stringMatching(/^col_/),
      color_name: 'Signal red',
      hex_code: '#C1121C',
      filament_type: 'PLA',
      is_active: true,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect((await listed()).data).toEqual([color])
    expect(await eventsOf(farm.id)).toEqual([
      { type: 'color.created', subject_id: color.id, data: { color_name: 'Signal red', filament_type: 'PLA' } },
    ])
  })

  test('a name can be used once for each filament type, in each account', async () => {
    await addColor({ filament_type: 'PLA' })
    await addColor({ filament_type: 'PETG' })
    await addColor()
    await addColor({ filament_type: 'PLA' }, await t.account())
    const again = { color_name: 'Signal red', hex_code: '#000000', filament_type: 'PLA' }
    const answer = await farm.request('POST', '/colors', again)
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error.code).toBe('DUPLICATE_COLOR')
    expect((await listed()).meta.count).toBe(3)
  })

  test('the same Idempotency-Key gives the first answer again', async () => {
    const send = (hexCode: string) =>
      farm.request('POST', '/colors', { color_name: 'Red', hex_code: hexCode }, { 'idempotency-key': 'once' })
    const first = await send('#FF0000')
    const second = await send('#FF0000')
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.body).toBe(first.body)
    expect((await send('#EE0000')).json().error.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test.each([
    [{}, { color_name: ['is required'], hex_code: ['is required'] }],
    [{ color_name: '', hex_code: '#000000' }, { color_name: ['must not be empty'] }],
    [{ color_name: 'x'.repeat(101), hex_code: '#000000' }, { color_name: ['must have at most 100 characters'] }],
    [{ color_name: 'Red', hex_code: '000000' }, { hex_code: ['has an invalid form'] }],
    [{ color_name: 'Red', hex_code: '#00000' }, { hex_code: ['has an invalid form'] }],
    [{ color_name: 'Red', hex_code: '#00000G' }, { hex_code: ['has an invalid form'] }],
    [{ color_name: 'Red', hex_code: '#0000000' }, { hex_code: ['has an invalid form'] }],
    [{ color_name: 'Red', hex_code: '#000000', is_active: 'yes' }, { is_active: ['must be a boolean'] }],
  ])('refuses %j', async (body, details) => {
    const answer = await farm.request('POST', '/colors', body)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details })
    expect((await listed()).data).toEqual([])
  })
})

test('GET /colors lists the newest first, by filament type and by whether they are offered', async () => {
  const red = await addColor({ color_name: 'Red', filament_type: 'PLA' })
  const blue = await addColor({ color_name: 'Blue', filament_type: 'PETG', is_active: false })
  expect(await listed()).toEqual({
    success: true,
    data: [blue, red],
    meta: { limit: 5000, offset: 0, count: 2, next_cursor: null },
  })
  expect((await listed('?filament_type=PLA')).data).toEqual([red])
  expect((await listed('?is_active=false')).data).toEqual([blue])
  expect((await listed('?limit=1&offset=1')).data).toEqual([red])
  expect((await listed('?limit=0')).error.details).toEqual({ limit: ['must be at least 1'] })
  expect((await listed('', await t.account())).data).toEqual([])
})

describe('PATCH /colors/{id}', () => {
  test('changes what is given and leaves the rest', async () => {
    const color = await addColor({ filament_type: 'PLA' })
    const answer = await farm.request('PATCH', `/colors/${color.id}`, { hex_code: '#abcdef', is_active: false })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data).toEqual({ ...color, hex_code: '#ABCDEF', is_active: false })
    expect((await eventsOf(farm.id)).at(-1)).toEqual({
      type: 'color.updated',
      subject_id: color.id,
      data: { fields: ['hex_code', 'is_active'] },
    })
  })

  test('cannot become another colour that is there', async () => {
    await addColor({ filament_type: 'PLA' })
    const color = await addColor({ filament_type: 'PETG' })
    const answer = await farm.request('PATCH', `/colors/${color.id}`, { filament_type: 'PLA' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error.code).toBe('DUPLICATE_COLOR')
    expect((await listed()).data[0]).toEqual(color)
  })

  test('an empty change is refused, one of unknown fields only changes nothing', async () => {
    const color = await addColor()
    const empty = await farm.request('PATCH', `/colors/${color.id}`, {})
    expect(empty.json().error.details).toEqual({ _root: ['must have at least one field'] })
    expect((await farm.request('PATCH', `/colors/${color.id}`, { shade: 1 })).json().data).toEqual(color)
    expect(await eventsOf(farm.id)).toHaveLength(1)
  })
})

test('DELETE /colors/{id} takes it from the list, once', async () => {
  const color = await addColor()
  const answer = await farm.request('DELETE', `/colors/${color.id}`)
  expect(answer.json()).toEqual({ success: true, data: { id: color.id, deleted: true } })
  expect((await listed()).data).toEqual([])
  expect((await farm.request('DELETE', `/colors/${color.id}`)).json().error.code).toBe('NOT_FOUND')
  expect((await eventsOf(farm.id)).map((event) => event.type)).toEqual(['color.created', 'color.deleted'])
})

const routes = [
  ['POST', '/colors', 'write', { color_name: 'Red', hex_code: '#FF0000' }],
  ['GET', '/colors', 'read', undefined],
  ['PATCH', '/colors/{id}', 'write', { color_name: 'Stolen' }],
  ['DELETE', '/colors/{id}', 'write', undefined],
] as const

test.each(routes)('%s %s needs a key of its scope', async (method, path, scope, body) => {
  const url = path.replace('{id}', 'col_1')
  const keyless = await t.app.inject({ method, url: `/public/v1${url}`, ...(body && { payload: body }) })
  expect(keyless.json().error.code).toBe('UNAUTHORIZED')
  const others = (['read', 'write', 'control'] as const).filter((each) => each !== scope)
  const answer = await (await t.account({ scopes: others })).request(method, url, body)
  expect(answer.json().error.code).toBe('INSUFFICIENT_SCOPE')
})

test.each(routes.filter(([, path]) => path.includes('{id}')))(
  '%s %s answers the same for the colour of another account as for none',
  async (method, path, _scope, body) => {
    const color = await addColor()
    const other = await t.account()
    const foreign = await other.request(method, path.replace('{id}', color.id), body)
    const unknown = await other.request(method, path.replace('{id}', 'col_unknown'), body)
    expect(foreign.statusCode).toBe(404)
    expect(foreign.body).toBe(unknown.body)
    expect((await listed()).data).toEqual([color])
  },
)
