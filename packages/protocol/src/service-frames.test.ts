import { readFileSync } from 'node:fs'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { commandKinds } from './command-kinds.ts'
import { commandArguments } from './commands.ts'
import { printServiceChecks, serviceChecksFile } from './generate-service-checks.ts'
import { messageHeader, serviceMessages } from './messages.ts'
import { areCommandArguments, readServiceFrame } from './service-frames.ts'

const header = { id: 'frame-1', ts: '2026-01-01T00:00:00.000Z' }
const settings = {
  printer_id: 'p1',
  name: 'Printer 1',
  model: 'MK4S',
  connection_type: 'prusalink',
  connection: { host: '127.0.0.1', port: 80 },
  nozzle_size: 0.4,
  limits: { nozzle: 290, bed: 120, chamber: 60 },
  filament_type: null,
  filament_color_hex: null,
}
const file = {
  file_version_id: 'v1',
  name: 'clip.gcode',
  url_path: '/hub/v1/files/v1',
  size_bytes: 10,
  sha256: 'a'.repeat(64),
  format: 'gcode',
  archive_plate: null,
  print_time_seconds: 60,
  layer_count: null,
  filament_type: 'PLA',
  nozzle_temp: 215,
  bed_temp: null,
}
const bodies = {
  welcome: {
    hub_id: 'h1',
    hub_name: 'Hub',
    server_time: header.ts,
    printers: [settings],
    settle: [{ attempt_id: 'a1', printer_id: 'p1', fence: 1, run_id: 'r1' }],
  },
  configure: { printers: [settings] },
  command: { command_id: 'c1', printer_id: 'p1', fence: 1, deadline: header.ts, kind: 'pause', args: {} },
  ack: { ids: ['frame-0'] },
  release: { attempts: [{ attempt_id: 'a1', printer_id: 'p1' }] },
  discover: { address: '192.168.1.20' },
  test_connection: { test_id: 't1', connection_type: 'bambu', connection: { host: 'x' } },
  snapshot: { request_id: 'r1', printer_id: 'p1' },
  renew_token: { sealed_token: 'x'.repeat(200) },
  close: { reason: 'replaced', message: 'Another hub connected.', retry_after_ms: 0 },
} satisfies Record<keyof typeof serviceMessages, object>
const args = {
  print: {
    attempt_id: 'a1',
    file,
    run_mark: '1 r1 a.gcode',
    filament_map: [
      { filament: 0, slot: 254 },
      { filament: 2, slot: null },
    ],
    ejection_gcode: 'G1 Y0',
  },
  pause: { attempt_id: 'a1' },
  resume: { attempt_id: null },
  stop: { attempt_id: null },
  heaters: { nozzle: 200, bed: 60 },
  light: { on: true },
  load_filament: { slot: 1, temperature: 200 },
  unload_filament: { slot: null, temperature: null },
} satisfies Record<keyof typeof commandArguments, object>

/** Each is the value with one thing in it replaced or left out, at any depth. */
function* damaged(value: unknown): Generator<unknown> {
  const others = [null, 'text', '', 'x'.repeat(20_000), '🖨'.repeat(64), -1, 0, 1.5, 1e9, true, [], {}, [null]]
  yield* others
  if (Array.isArray(value)) {
    for (const each of damaged(value[0])) yield [each]
    yield Array.from({ length: 501 }, () => value[0])
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) {
      const { [name]: _left, ...rest } = value as Record<string, unknown>
      yield rest
      for (const other of damaged(each)) yield { ...rest, [name]: other }
    }
    yield { ...value, added: 1 }
  }
}

test('the checked-in checks match the schemas', () => {
  expect(readFileSync(serviceChecksFile, 'utf8'), 'run: node packages/protocol/src/generate-service-checks.ts').toBe(
    printServiceChecks(),
  )
})

test.each(Object.keys(bodies) as (keyof typeof bodies)[])('%s is taken exactly when it fits its schema', (type) => {
  const schema = Compile(
    Type.Object({ type: Type.Literal(type), ...messageHeader, ...serviceMessages[type].properties }),
  )
  const whole = { ...header, ...bodies[type] }
  expect(readServiceFrame(JSON.stringify({ type, ...whole })).kind).toBe('message')
  const kinds = new Set<string>()
  for (const each of damaged(whole)) {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) continue
    const frame = { ...each, type }
    const { kind } = readServiceFrame(JSON.stringify(frame))
    expect(kind, JSON.stringify(frame).slice(0, 500)).toBe(schema.Check(frame) ? 'message' : 'invalid')
    kinds.add(kind)
  }
  expect(kinds).toEqual(new Set(['message', 'invalid']))
})

test.each(commandKinds)('arguments of %s are taken exactly when they fit their schema', (kind) => {
  const schema = Compile(commandArguments[kind])
  expect(areCommandArguments(kind, args[kind])).toBe(true)
  for (const each of damaged(args[kind])) {
    expect(areCommandArguments(kind, each), JSON.stringify(each)?.slice(0, 500)).toBe(schema.Check(each))
  }
})

test('an invalid frame is told by its type and the property that is wrong', () => {
  const read = (body: object) => readServiceFrame(JSON.stringify({ type: 'command', ...header, ...body }))
  expect(read({ ...bodies.command, fence: 0 })).toEqual({
    kind: 'invalid',
    problem: 'command/fence: does not fit its schema',
  })
  const { deadline: _deadline, ...rest } = bodies.command
  expect(read(rest)).toEqual({ kind: 'invalid', problem: 'command/deadline: is missing' })
})

test.each(['null', '[]', '"text"', '{', '{"type":1}'])('%s is no frame', (text) => {
  expect(readServiceFrame(text).kind).toBe('invalid')
})

test('a frame of a type that only newer services know is told apart', () => {
  expect(readServiceFrame('{"type":"constructor"}')).toEqual({ kind: 'unknown_type', type: 'constructor' })
})
