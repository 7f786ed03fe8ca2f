import { expect, test } from 'vitest'
import { connectionIdentity } from './connection-identity.ts'

test.each([
  ['bambu', { address: '192.0.2.7', serial: '01p00a', access_code: 'secret' }, ['01P00A', '192.0.2.7', null]],
  ['moonraker', { address: 'http://voron.local:7126/x' }, [null, 'voron.local', 7126]],
  ['moonraker', { address: 'VORON.local', port: 7125 }, [null, 'voron.local', null]],
  ['octoprint', { address: '[fe80::1]:80' }, [null, 'fe80::1', null]],
  ['elegoo', { address: '192.0.2.8', mainboard_id: '3f1c' }, ['3F1C', '192.0.2.8', null]],
  ['virtual', { serial: 'VIRTUAL-0001' }, ['VIRTUAL-0001', null, null]],
  ['creality', { address: 'http://[', port: 'x', serial: 7 }, [null, null, null]],
  ['creality', { address: '192.0.2.9', port: 99_999 }, [null, '192.0.2.9', null]],
] as const)('of %s %o is what tells the printer, and nothing secret', (type, connection, expected) => {
  expect(Object.values(connectionIdentity(type, connection))).toEqual(expected)
})
