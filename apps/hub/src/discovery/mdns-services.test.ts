import { expect, test } from 'vitest'
import { type Answer, MdnsServices } from './mdns-services.ts'

const instance = 'Voron. left._moonraker._tcp.local'
const ptr: Answer = { name: '_moonraker._tcp.local', type: 'PTR', data: instance }
const srv: Answer = { name: instance, type: 'SRV', data: { port: 7126, target: 'Voron.local' } }
const txt: Answer = { name: instance, type: 'TXT', data: [Buffer.from('Version=0.9'), Buffer.from('flag'), '=x'] }
const a: Answer = { name: 'voron.local', type: 'A', data: '192.168.7.8' }
const service = {
  name: 'Voron. left',
  type: 'moonraker',
  port: 7126,
  txt: { version: '0.9' },
  addresses: ['192.168.7.8'],
}
const create = () => new MdnsServices(['moonraker', 'octoprint'])

test('a service is known from its records, in any order and in one packet or several', () => {
  expect(create().add([ptr, txt, a, srv])).toEqual([service])
  const services = create()
  expect(services.add([a])).toEqual([])
  expect(services.add([ptr])).toEqual([])
  expect(services.unresolved).toEqual([instance])
  expect(services.add([srv])).toEqual([{ ...service, txt: {} }])
  expect(services.unresolved).toEqual([])
  expect(services.add([txt])).toEqual([service])
})

test('a service that is announced again is told again', () => {
  const services = create()
  services.add([ptr, srv, txt, a])
  expect(services.add([ptr])).toEqual([service])
})

test('other types, other records and texts without a name are left out', () => {
  const other: Answer[] = [
    { name: '_ssh._tcp.local', type: 'PTR', data: 'Shell._ssh._tcp.local' },
    { name: 'Shell._ssh._tcp.local', type: 'SRV', data: { port: 22, target: 'voron.local' } },
    { name: 'voron.local', type: 'CNAME', data: 'x.local' },
    { name: '_moonraker._tcp.local', type: 'SRV', data: { port: 1, target: 'x' } },
  ]
  expect(create().add(other)).toEqual([])
})

test('a network that announces without end fills no memory', () => {
  const services = create()
  for (let number = 0; number < 2_000; number += 1) {
    services.add([
      { ...ptr, data: `${number}._moonraker._tcp.local` },
      { ...a, name: `${number}.local` },
    ])
  }
  expect(services.unresolved).toHaveLength(500)
  expect(services.unresolved.at(-1)).toBe('1999._moonraker._tcp.local')
})
