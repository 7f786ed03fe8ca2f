import { expect, test } from 'vitest'
import { accountForEachTest } from '../../../test/app/app-hooks.ts'

const { t, account: farm } = accountForEachTest()

const chip = 'E0:04:01:08:66:2F:6F:BC'
const trayUuid = 'B5BA4E1B9A3E4B7D8C21F07A6D5E4C3B'
/** An OpenPrintTag of PETG without an instance. */
const payload = Buffer.from('a0bf080009010a685045544720526564101903e8ff', 'hex').toString('base64')

async function send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, account = farm) {
  const answer = await account.request(method, `/materials/filament${path}`, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}
async function refused(method: 'POST' | 'DELETE', path: string, body?: object, account = farm) {
  const answer = await account.request(method, `/materials/filament${path}`, body)
  return [answer.statusCode, answer.json().error?.code]
}
const scan = (code: string, uid?: string) => send('POST', '/scan', { code, ...(uid !== undefined && { uid }) })
const addSpool = async (fields: object = {}) => (await send('POST', '', { type: 'PLA', ...fields })).id as string

test('a spool is found by each of its tags, however a reader writes it', async () => {
  const id = await addSpool()
  expect(await scan(chip)).toEqual({
    ...{ material_id: null, tags: [{ kind: 'uid', value: 'e0040108662f6fbc' }], says: null },
  })
  const { tags } = await send('POST', `/${id}/tags`, { code: chip })
  expect(tags).toMatchObject([{ kind: 'uid', value: 'e0040108662f6fbc' }])
  await send('POST', `/${id}/tags`, { code: trayUuid })
  // Again on the same spool is no change.
  expect((await send('POST', `/${id}/tags`, { code: trayUuid.toLowerCase() })).tags).toHaveLength(2)
  for (const code of [chip, 'bc6f2f66080104e0', trayUuid]) expect(await scan(code)).toMatchObject({ material_id: id })
  expect(await send('GET', `/${id}/tags`)).toMatchObject({ tags: [{ kind: 'uid' }, { kind: 'uuid' }] })
  const events = await farm.request('GET', `/events?type=material.updated&subject=${id}`)
  expect(events.json().data).toMatchObject([{ data: { fields: ['tags'] } }, { data: { fields: ['tags'] } }])

  expect(await send('DELETE', `/${id}/tags/${tags[0].id}`)).toEqual({ id: tags[0].id, deleted: true })
  expect(await scan(chip)).toMatchObject({ material_id: null })
  expect(await refused('DELETE', `/${id}/tags/${tags[0].id}`)).toEqual([404, 'NOT_FOUND'])
})

test('an OpenPrintTag says what it is of; without an instance its chip tells the spool apart', async () => {
  const id = await addSpool()
  expect(await scan(payload)).toMatchObject({ material_id: null, tags: [], says: { type: 'PETG', color: 'PETG Red' } })
  expect(await refused('POST', `/${id}/tags`, { code: payload })).toEqual([400, 'VALIDATION_ERROR'])
  await send('POST', `/${id}/tags`, { code: payload, uid: chip })
  expect(await scan(payload, chip)).toMatchObject({ material_id: id, says: { remaining_grams: 1000 } })
  expect(await scan(chip)).toMatchObject({ material_id: id })
})

test('a tag is on one spool of an account, and other accounts have their own', async () => {
  const [one, other] = [await addSpool(), await addSpool()]
  await send('POST', `/${one}/tags`, { code: chip })
  expect(await refused('POST', `/${other}/tags`, { code: chip })).toEqual([409, 'ALREADY_EXISTS'])
  const elsewhere = await t.account()
  expect(await send('POST', '/scan', { code: chip }, elsewhere)).toMatchObject({ material_id: null })
  expect(await refused('POST', `/${one}/tags`, { code: trayUuid }, elsewhere)).toEqual([404, 'NOT_FOUND'])
  // A spool that is deleted takes its tags with it.
  await send('DELETE', `/${one}`)
  await send('POST', `/${other}/tags`, { code: chip })
  expect(await scan(chip)).toMatchObject({ material_id: other })
})

test('what is no tag is refused, and a spool has at most eight', async () => {
  const id = await addSpool()
  for (const code of ['0000000000000000', 'Black', '12345'])
    expect(await refused('POST', '/scan', { code })).toEqual([400, 'VALIDATION_ERROR'])
  expect(await refused('POST', '/scan', { code: payload, uid: trayUuid })).toEqual([400, 'VALIDATION_ERROR'])
  for (let n = 1; n <= 8; n += 1) await send('POST', `/${id}/tags`, { code: `0${n}000000` })
  expect(await refused('POST', `/${id}/tags`, { code: chip })).toEqual([400, 'VALIDATION_ERROR'])
})
