import { expect, onTestFinished, test } from 'vitest'
import { accountForEachTest } from '../../../../test/app/app-hooks.ts'
import { createTestPerson } from '../../../../test/farm/test-person.ts'
import { startServiceProcess } from '../../../../test/run/service-process.ts'
import { openTestSpoolman } from '../../../../test/services/test-spoolman.ts'

const { t, account } = accountForEachTest({ config: { outboundNetworks: '127.0.0.1' } })

test.each([
  ['after Spoolman counted it', 'hang', 2],
  ['before Spoolman counted it', 'lose', 3],
] as const)(
  'of two services one is killed while it tells usage, %s: it is booked once',
  async (_, what, asked) => {
    const owner = await createTestPerson(t, account, 'owner')
    const spoolman = await openTestSpoolman()
    onTestFinished(() => spoolman.close())
    const filament = spoolman.addFilament({ name: 'Black', material: 'PETG', weight: 1000 })
    const spool = spoolman.addSpool(filament)
    expect((await owner.request('POST', '/spoolman', { url: spoolman.url })).statusCode).toBe(201)
    const connection = async () => (await owner.request('GET', '/spoolman')).json().data.connection
    const told = () => spoolman.came.filter(({ method }) => method === 'PUT').length
    const use = async (quantity: number) => {
      const [material] = (await account.request('GET', '/materials/filament')).json().data
      const answer = await account.request('POST', `/materials/filament/${material.id}/consume`, { quantity })
      expect(answer.statusCode, answer.body).toBe(200)
    }
    const isTold = async () => (await connection()).waiting_usages === 0

    const left = await startServiceProcess(t)
    await left.does(async () => (await connection()).last_read_at !== null)
    await use(10)
    await left.does(isTold)
    spoolman.interfere = ({ method }) => (method === 'PUT' ? what : undefined)
    await use(7)
    await left.does(() => told() === 2)
    const right = await startServiceProcess(t)
    await left.kill()
    spoolman.interfere = () => undefined
    // Its lease ends, and the minute is over after which nothing of it can be on its way.
    await t.db.sql`
    update spoolman_connections set lease_id = null, leased_until = null, retry_at = null
    where account_id = ${account.id}`
    await t.db.sql`
    update spoolman_spools set sending_at = sending_at - interval '61 seconds' where account_id = ${account.id}`
    await right.does(isTold)
    expect(spool.used_weight).toBe(17)
    expect(told()).toBe(asked)

    // Two that share the work book each usage once, and what remains is the same on both sides.
    const third = await startServiceProcess(t)
    for (let n = 0; n < 10; n += 1) await use(1.5)
    await third.does(isTold)
    expect(spool.used_weight).toBe(32)
    const [material] = (await account.request('GET', '/materials/filament')).json().data
    expect(material.remaining_grams).toBe(968)
  },
  240_000,
)
