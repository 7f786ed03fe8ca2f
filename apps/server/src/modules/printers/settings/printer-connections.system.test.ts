import { describe, expect, test } from 'vitest'
import { printersForAllTests } from '../../../test/farm/test-printers.ts'
import { readPrinterSettings } from '../send-settings.ts'

const { nextName, t, farm, newHub, newPrinter, connect, eventsOf } = printersForAllTests()

describe('a connection', () => {
  const secret = 'correct-horse-battery'

  test('is never answered, nor stored where it can be read', async () => {
    const hubId = await newHub()
    const connection = { address: '192.0.2.41', api_key: secret }
    const created = await farm.request(
      'POST',
      '/printers',
      { name: nextName('Secretive'), model: 'MK4S', connection_type: 'prusalink', connection, hub_id: hubId },
      { 'idempotency-key': 'secretive' },
    )
    const { id, name } = created.json().data
    const bodies = [
      created,
      await farm.request('GET', '/printers'),
      await farm.request('GET', `/printers/${id}`),
      await farm.request('GET', `/printers/${id}/status`),
      await farm.request('PATCH', `/printers/${id}`, { connection: { ...connection, port: 1 } }),
      await farm.request('PATCH', `/printers/${id}`, { connection: { api_key: secret } }),
      await farm.request('PUT', `/printers/${id}/maintenance`, { in_maintenance: true }),
      await farm.request('GET', `/hubs/${hubId}`),
      await farm.request('POST', '/printers', { name, model: 'X', connection_type: 'bambu', connection }),
    ].map((answer) => answer.body)
    const stored = await t.db.sql<{ text: string }[]>`
      select p::text || e::text || i::text as text from printers p
      join events e on e.account_id = p.account_id and e.subject_id = p.id
      join idempotency_keys i on i.account_id = p.account_id and i.key = 'secretive'
      where p.account_id = ${farm.id} and p.id = ${id}`
    expect(stored).toHaveLength(3)
    const hex = Buffer.from(secret).toString('hex')
    for (const text of [...bodies, ...stored.map((row) => row.text)]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(hex)
    }
  })

  test('reaches the hub of the printer, with the limits of its model', async () => {
    const hubId = await newHub()
    const { frames } = connect(hubId)
    const { id, name } = await newPrinter({
      model: 'Bambu Lab A1 mini',
      hub_id: hubId,
      connection_type: 'bambu',
      connection: { address: '192.0.2.42', access_code: secret },
      nozzle_size: 0.6,
      current_color_hex: '#ff0000',
      current_filament_type: 'PLA',
    })
    await expect.poll(() => frames.length).toBe(1)
    expect(frames[0]).toMatchObject({
      type: 'configure',
      printers: [
        {
          printer_id: id,
          name,
          model: 'Bambu Lab A1 mini',
          connection_type: 'bambu',
          connection: { address: '192.0.2.42', access_code: secret },
          nozzle_size: 0.6,
          limits: { nozzle: 300, bed: 80, chamber: 65 },
          filament_type: 'PLA',
          filament_color_hex: '#FF0000',
        },
      ],
    })
  })

  test('that cannot be opened keeps no other printer from running', async () => {
    const hubId = await newHub()
    const broken = await newPrinter({ hub_id: hubId })
    const sound = await newPrinter({ hub_id: hubId })
    await t.db.sql`
      update printers set connection_sealed = '\\x00' where account_id = ${farm.id} and id = ${broken.id}`
    const { settings } = await readPrinterSettings(t.context, t.db.sql, farm.id, hubId)
    expect(settings.map((each) => each.printer_id)).toEqual([sound.id])
  })

  test('keeps all else when another certificate of the printer is to be believed', async () => {
    const hubId = await newHub()
    const connection = { address: '192.0.2.43', serial: '01P00A1', access_code: secret }
    const bambu = { hub_id: hubId, connection_type: 'bambu', model: 'P1S' }
    const { id } = await newPrinter({ ...bambu, connection: { ...connection, allow_any_certificate: true } })
    const pinned_fingerprint = 'a3'.repeat(32)
    const answer = await farm.request('PATCH', `/printers/${id}`, { pinned_fingerprint })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain(secret)
    const {
      settings: [known],
    } = await readPrinterSettings(t.context, t.db.sql, farm.id, hubId)
    expect(known?.connection).toEqual({ ...connection, pinned_fingerprint: pinned_fingerprint.toUpperCase() })
    expect((await eventsOf(id)).at(-1)).toEqual({ type: 'printer.updated', data: { fields: ['connection'] } })
  })

  test('takes no fingerprint that is none, of a printer without certificate, or while it cannot be opened', async () => {
    const bambu = { connection_type: 'bambu', connection: { address: '192.0.2.44', serial: '01P00A2' } }
    const { id } = await newPrinter(bambu)
    const other = await newPrinter()
    const damaged = await newPrinter({ ...bambu, connection: { address: '192.0.2.45', serial: '01P00A3' } })
    await t.db.sql`
      update printers set connection_sealed = '\\x00' where account_id = ${farm.id} and id = ${damaged.id}`
    const refuse = async (printerId: string, pinned_fingerprint: string) =>
      (await farm.request('PATCH', `/printers/${printerId}`, { pinned_fingerprint })).json().error
    for (const [printerId, fingerprint] of [
      [id, 'A3:B4'],
      [other.id, 'A3'.repeat(32)],
      [damaged.id, 'A3'.repeat(32)],
    ] as const) {
      expect(await refuse(printerId, fingerprint)).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { pinned_fingerprint: [expect.any(String)] },
      })
    }
  })
})
